import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { CancelPayoutInput } from '../../identity.generated.ts';
import { assertReason, decidePayout } from './holdPayout.ts';
import type { PayoutRecord } from './model.ts';
import { cancel } from './payoutSteps.ts';
import { payoutsJob } from './payoutsJob.ts';
import { invalidTransition, sourcesOf } from './states.ts';

/** Cancels a payout that has not been sent; the worker then makes its money available again. */
export async function cancelPayout(
  input: CancelPayoutInput,
  context: RequestContext,
): Promise<{ payout: PayoutRecord }> {
  const { payoutId, expectedVersion } = input;
  const reason = input.reason.trim();
  const payout = await decidePayout(context, { payoutId, action: 'cancelPayout', reason }, async (before) => {
    assertReason(reason);
    // An earlier run under the same key may have crashed before it responded.
    if (context.attempt.isRepeated && before.state === 'canceled') return null;
    assertVersion(before.version, expectedVersion);
    if (!sourcesOf('canceled', 'cancelPayout').includes(before.state))
      throw invalidTransition(before.state, 'canceled');
    return cancel(context).changes;
  });
  context.platform.signals.send(payoutsJob.name);
  return { payout };
}
