/** `breaking` stops the build unless accepted, `dangerous` should be reviewed, `safe` is only listed. */
export type Severity = 'breaking' | 'dangerous' | 'safe';

/** Meaning of a kind of change for clients of the service. */
export interface KindMeaning {
  readonly severity: Severity;
  /** One sentence; also the rule's text in SARIF. */
  readonly words: string;
}

/** Returns a kind that refuses the change. */
export function breaking(words: string): KindMeaning {
  return { severity: 'breaking', words };
}

/** Returns a kind that affects even correct clients. */
export function dangerous(words: string): KindMeaning {
  return { severity: 'dangerous', words };
}

/** Returns a kind that affects no correct client. */
export function safe(words: string): KindMeaning {
  return { severity: 'safe', words };
}
