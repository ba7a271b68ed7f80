import type { ReinstateDealerInput } from '../../../schema/identity.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { once } from '../../platform/idempotency/once.ts';
import { decideDealer } from './decideDealer.ts';
import type { DealerRecord } from './model.ts';
import { nextState } from './states.ts';

export function reinstateDealer(
  input: ReinstateDealerInput,
  context: RequestContext,
): Promise<{ dealer: DealerRecord }> {
  const { dealerId, expectedVersion } = input;
  return once(context, 'reinstateDealer', input, async () => ({
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
  }));
}
