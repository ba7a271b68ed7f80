/**
 * Measures several things in turn, in rounds whose order alternates, so that what the machine does besides hits all
 * of them alike.
 *
 * @param sides each measures once, in the given round
 * @returns what each side measured, by round
 */
export async function interleave<
  const Sides extends Readonly<Record<string, (round: number) => Promise<unknown>>>,
>(rounds: number, sides: Sides): Promise<{ [Name in keyof Sides]: Awaited<ReturnType<Sides[Name]>>[] }> {
  const names = Object.keys(sides);
  const measured: Record<string, unknown[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed())
      measured[name]?.push(await sides[name]?.(round));
  }
  return measured as { [Name in keyof Sides]: Awaited<ReturnType<Sides[Name]>>[] };
}

/** The first side's figure over the second's, by round. */
export function ratiosOf<T>(
  first: readonly T[],
  second: readonly T[],
  figure: (round: T) => number,
): number[] {
  return first.map((round, at) => figure(round) / figure(second[at] as T));
}
