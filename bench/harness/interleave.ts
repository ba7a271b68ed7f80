/**
 * Measures several subjects in rounds with alternating order, so that other load of the machine affects all of them
 * equally.
 *
 * @param sides each measures once, in the given round
 * @returns the measurements of each subject, by round
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

/** Returns the ratio of the first subject to the second, by round. */
export function ratiosOf<T>(
  first: readonly T[],
  second: readonly T[],
  figure: (round: T) => number,
): number[] {
  return first.map((round, at) => figure(round) / figure(second[at] as T));
}
