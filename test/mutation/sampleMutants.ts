import { createHash } from 'node:crypto';
import { keyOf } from './equivalents.ts';
import type { Mutant } from './listMutants.ts';

/**
 * Returns a sample of mutants in their order. The choice depends on the seed and on the text of each mutant alone, so that a
 * change of one file replaces few others.
 *
 * @param count size of the sample; all mutants if there are fewer
 */
export function sampleMutants(
  mutants: readonly Mutant[],
  { count, seed }: { count: number; seed: string },
): readonly Mutant[] {
  const rankOf = (mutant: Mutant) =>
    createHash('sha256')
      .update(`${seed} ${keyOf(mutant)}`)
      .digest('hex');
  const chosen = mutants
    .map((mutant) => ({ mutant, rank: rankOf(mutant) }))
    .toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
    .slice(0, count);
  const kept = new Set(chosen.map(({ mutant }) => mutant));
  return mutants.filter((mutant) => kept.has(mutant));
}
