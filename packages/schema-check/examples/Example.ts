/**
 * One rule of the check, with a change that it reports and a similar change that it does not report. `Plant` is the form of
 * a change, which depends on the compared documents.
 */
export interface Example<Plant> {
  /** Path of the reported change: its id without the kind. */
  readonly path: string;
  readonly caught: Plant;
  readonly passed: Plant;
}

/** At least one example for each kind, and one for each cause of a kind. */
export type Examples<Kinds, Plant> = Readonly<
  Record<keyof Kinds, readonly [Example<Plant>, ...Example<Plant>[]]>
>;

export function example<Plant>(path: string, caught: Plant, passed: Plant): Example<Plant> {
  return { path, caught, passed };
}
