/** `breaking` stops the build unless accepted, `dangerous` wants a look, `safe` is listed only. */
export type Severity = 'breaking' | 'dangerous' | 'safe';

/** What one kind of change means for clients of the service. */
export interface KindMeaning {
  readonly severity: Severity;
  /** One sentence for people; also the rule's text in SARIF. */
  readonly words: string;
}

/** A kind that refuses the change. */
export function breaking(words: string): KindMeaning {
  return { severity: 'breaking', words };
}

/** A kind that clients may notice without having done anything wrong. */
export function dangerous(words: string): KindMeaning {
  return { severity: 'dangerous', words };
}

/** A kind that no correct client notices. */
export function safe(words: string): KindMeaning {
  return { severity: 'safe', words };
}
