/**
 * One rule of the check, shown by two changes: one that it catches, and the nearest one that it lets through.
 * `Plant` is how a change is written down, which differs by what is compared.
 */
export interface Example<Plant> {
  /** Path of what is caught: the id without its kind. */
  readonly path: string;
  readonly caught: Plant;
  readonly passed: Plant;
}

/** At least one example for each kind; a kind that several circumstances lead to has one for each of them. */
export type Examples<Kinds, Plant> = Readonly<
  Record<keyof Kinds, readonly [Example<Plant>, ...Example<Plant>[]]>
>;

export function example<Plant>(path: string, caught: Plant, passed: Plant): Example<Plant> {
  return { path, caught, passed };
}
