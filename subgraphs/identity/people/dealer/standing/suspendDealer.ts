import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import { invalidFields } from '../../../../platform/errors/AppError.ts';
import { type Act, performAct } from '../../../../platform/mongo/performAct.ts';
import type { SuspendDealerInput } from '../../../identity.generated.ts';
import { checkLine } from '../../../kernel/text/checkLine.ts';
import { peopleHooks } from '../../hooks/peopleHooks.ts';
import type { DealerRecord } from '../model.ts';
import { nextState } from '../states.ts';
import { dealerDecision } from './decideDealer.ts';

const longestReason = 500;

export async function suspendDealer(
  input: SuspendDealerInput,
  context: RequestContext,
): Promise<{ dealer: DealerRecord }> {
  return { dealer: await performAct(dealerSuspension(input, context)) };
}

/** Returns the suspension of a dealer, as part of a larger decision. */
export function dealerSuspension(input: SuspendDealerInput, context: RequestContext): Act<DealerRecord> {
  const { dealerId, expectedVersion } = input;
  const reason = input.reason.trim();
  return dealerDecision(context, {
    action: 'suspendDealer',
    dealerId,
    expectedVersion,
    reason,
    assertMeaning: () => assertReason(reason),
    change: async (before, session) => {
      const state = nextState(before.state, 'suspendDealer', 'suspended');
      await peopleHooks.bound.dealerSuspended(context, dealerId, session);
      return { state, stateReason: reason };
    },
    withdrawn: true,
    mail: { template: 'dealerSuspended', data: ({ tradeName }) => ({ tradeName, detail: reason }) },
  });
}

function assertReason(reason: string): void {
  const problems = [...checkLine(reason, '#/reason', { maximum: longestReason })];
  if (problems.length > 0) throw invalidFields(problems);
}
