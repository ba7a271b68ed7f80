import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import type { CloseDealerInput } from '../../../identity.generated.ts';
import type { DealerRecord } from '../model.ts';
import { nextState } from '../states.ts';
import { decideDealer } from './decideDealer.ts';
import { assertNoObligations } from './obligations.ts';

export async function closeDealer(
  { dealerId, expectedVersion }: CloseDealerInput,
  context: RequestContext,
): Promise<{ dealer: DealerRecord }> {
  const dealer = await decideDealer(context, {
    action: 'closeDealer',
    dealerId,
    expectedVersion,
    change: async (before, session) => {
      const state = nextState(before.state, 'closeDealer', 'closed');
      await assertNoObligations(before, session);
      return { state, stateReason: null };
    },
    withdrawn: true,
  });
  return { dealer };
}
