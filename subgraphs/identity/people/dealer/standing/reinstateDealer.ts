import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import type { ReinstateDealerInput } from '../../../identity.generated.ts';
import type { DealerRecord } from '../model.ts';
import { nextState } from '../states.ts';
import { decideDealer } from './decideDealer.ts';

export async function reinstateDealer(
  input: ReinstateDealerInput,
  context: RequestContext,
): Promise<{ dealer: DealerRecord }> {
  const { dealerId, expectedVersion } = input;
  return {
    dealer: await decideDealer(context, {
      action: 'reinstateDealer',
      dealerId,
      expectedVersion,
      change: ({ state }) => ({
        state: nextState(state, 'reinstateDealer', 'reinstated'),
        stateReason: null,
      }),
      withdrawn: false,
      mail: { template: 'dealerReinstated', data: ({ tradeName }) => ({ tradeName }) },
    }),
  };
}
