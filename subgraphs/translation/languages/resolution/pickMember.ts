import type { Chain, ChainStrategy } from './buildChain.ts';

/** Why a member was chosen. */
export type ResolutionStrategy = ChainStrategy | 'source';

/** What resolution looks at in a member of a group. */
export interface Candidate {
  /** Code of its language; null while it is unknown. */
  readonly code: string | null;
  readonly isSource: boolean;
}

/**
 * The first member in chain order; the source when no link of the chain has one. Members that the reader may not
 * see are left out before.
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
