import type { Chain, ChainStrategy } from './buildChain.ts';

/** Reason why a member was chosen. */
export type ResolutionStrategy = ChainStrategy | 'source';

/** The data of a group member that the resolution uses. */
export interface Candidate {
  /** Code of its language; null while it is unknown. */
  readonly code: string | null;
  readonly isSource: boolean;
}

/**
 * Returns the first member in chain order; the source if no language of the chain has one. The caller has removed
 * members that the reader may not see.
 */
export function pickMember<C extends Candidate>(
  chain: Chain,
  visible: readonly C[],
): { member: C; strategy: ResolutionStrategy } | null {
  for (const { code, strategy } of chain.links) {
    const member = visible.find((candidate) => candidate.code === code);
    if (member) return { member, strategy };
  }
  const source = chain.endsWithSource ? visible.find((candidate) => candidate.isSource) : undefined;
  return source ? { member: source, strategy: 'source' } : null;
}
