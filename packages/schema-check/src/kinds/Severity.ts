/** `breaking` stops the build unless accepted, `dangerous` should be reviewed, `safe` is only listed. */
export type Severity = 'breaking' | 'dangerous' | 'safe';

/** Meaning of a kind of change for clients of the service. */
export interface KindMeaning {
  readonly severity: Severity;
  /** One sentence; also the rule's text in SARIF. */
  readonly words: string;
  /** What to do instead of the change; only for a breaking kind. */
  readonly remedy?: string;
}

/** Returns a kind that refuses the change. */
export function breaking(words: string, remedy: string): KindMeaning {
  return { severity: 'breaking', words, remedy };
}

/** Returns a kind that affects even correct clients. */
export function dangerous(words: string): KindMeaning {
  return { severity: 'dangerous', words };
}

/** Returns a kind that affects no correct client. */
export function safe(words: string): KindMeaning {
  return { severity: 'safe', words };
}
