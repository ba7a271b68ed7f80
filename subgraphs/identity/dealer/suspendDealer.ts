import type { SuspendDealerInput } from '../../../schema/identity.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { invalidFields } from '../../platform/errors/AppError.ts';
import { once } from '../../platform/idempotency/once.ts';
import { checkLine } from './checkLine.ts';
import { decideDealer } from './decideDealer.ts';
import type { DealerRecord } from './model.ts';
import { nextState } from './states.ts';

const longestReason = 500;

export function suspendDealer(
  input: SuspendDealerInput,
  context: RequestContext,
): Promise<{ dealer: DealerRecord }> {
  const { dealerId, expectedVersion } = input;
  const reason = input.reason.trim();
  return once(context, 'suspendDealer', input, async () => ({
    dealer: await decideDealer(context, {
      action: 'suspendDealer',
      dealerId,
      expectedVersion,
      reason,
      assertMeaning: () => assertReason(reason),
      change: ({ state }) => ({
        state: nextState(state, 'suspendDealer', 'suspended'),
        stateReason: reason,
      }),
      withdrawn: true,
      mail: { template: 'dealerSuspended', data: ({ tradeName }) => ({ tradeName, detail: reason }) },
    }),
  }));
}

function assertReason(reason: string): void {
  const problems = [...checkLine(reason, '#/reason', { maximum: longestReason })];
  if (problems.length > 0) throw invalidFields(problems);
}
