import type { ClientSession } from 'mongoose';
import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import { concurrentUpdate } from '../../../platform/concurrency/concurrentUpdate.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields, notFound } from '../../../platform/errors/AppError.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { reads, scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { HoldPayoutInput, ReleasePayoutHoldInput } from '../../identity.generated.ts';
import { assertFourEyes } from '../../kernel/dealer-standing/assertFourEyes.ts';
import { checkLine } from '../../kernel/text/checkLine.ts';
import { DealerModel } from '../../people/dealer/model.ts';
import { toUpdate } from '../steps/takeSteps.ts';
import { PayoutModel, type PayoutRecord, type StoredHold } from './model.ts';
import { payoutSteps } from './payoutSteps.ts';
import { payoutsJob } from './payoutsJob.ts';
import { invalidTransition, sourcesOf } from './states.ts';

const longestReason = 500;

/** Holds a payout, so that it is not sent. */
export async function holdPayout(
  input: HoldPayoutInput,
  context: RequestContext,
): Promise<{ payout: PayoutRecord }> {
  const { payoutId, expectedVersion } = input;
  const reason = input.reason.trim();
  const at = new Date(context.platform.now());
  const payout = await decidePayout(context, { payoutId, action: 'holdPayout', reason }, async (before) => {
    assertReason(reason);
    assertVersion(before.version, expectedVersion);
    if (!sourcesOf('on_hold', 'holdPayout').includes(before.state))
      throw invalidTransition(before.state, 'held');
    return { state: 'on_hold', hold: { reason, by: callerOf(context), at }, dueAt: null };
  });
  return { payout };
}

/** Releases a held payout; the caller must differ from the one who held it. */
export async function releasePayoutHold(
  { payoutId, expectedVersion }: ReleasePayoutHoldInput,
  context: RequestContext,
): Promise<{ payout: PayoutRecord }> {
  const dueAt = new Date(context.platform.now());
  const stated = { payoutId, action: 'releasePayoutHold', reason: null };
  const payout = await decidePayout(context, stated, async (before, session) => {
    assertFourEyes(context, before);
    if (before.hold?.by.id === context.viewer.id)
      throw new AppError(
        'four_eyes',
        'You placed the hold on this payout, so another operator must release it.',
      );
    assertVersion(before.version, expectedVersion);
    if (!sourcesOf('pending', 'releasePayoutHold').includes(before.state))
      throw invalidTransition(before.state, 'released');
    const dealers = reads(DealerModel, context.installationId);
    const dealer = await dealers.findOne({ _id: before.dealerId }, { session });
    if (dealer?.state === 'suspended')
      throw new AppError(
        'invalid_transition',
        'The dealer is suspended, so its payouts cannot be released.',
        {
          allowedFrom: { state: before.state, allowed: ['canceled'] },
        },
      );
    return { state: 'pending', hold: null, dueAt };
  });
  context.platform.signals.send(payoutsJob.name);
  return { payout };
}

/**
 * Validates the reason.
 *
 * @throws AppError `validation_failed`
 */
export function assertReason(reason: string): void {
  const problems = [...checkLine(reason, '#/reason', { maximum: longestReason })];
  if (problems.length > 0) throw invalidFields(problems);
}

/**
 * Changes a payout in one transaction with its audit event; of many concurrent decisions, one succeeds.
 *
 * @param change returns the changes; null if an earlier run of the same request has made them
 */
export async function decidePayout(
  context: RequestContext,
  { payoutId, action, reason }: { payoutId: string; action: string; reason: string | null },
  change: (before: PayoutRecord, session: ClientSession) => Promise<Partial<PayoutRecord> | null>,
): Promise<PayoutRecord> {
  if (!isId('payout', payoutId)) throw notFound('The payout');
  const payouts = scoped(PayoutModel, context.installationId);
  return inTransaction(async (session) => {
    const before = await payouts.findOne({ _id: payoutId }, { session });
    if (!before) throw notFound('The payout');
    const changes = await change(before, session);
    if (!changes) return before;
    const payout = await payouts.findOneAndUpdate(
      { _id: payoutId, version: before.version },
      toUpdate(payoutSteps, context, before, changes),
      { session },
    );
    if (!payout) throw concurrentUpdate();
    await recordAudit(context, { action, reason, target: { type: 'payout', id: payoutId } }, { session });
    return payout;
  });
}

function callerOf({ viewer }: RequestContext): StoredHold['by'] {
  return { type: viewer.isOperator ? 'operator' : 'user', id: viewer.id };
}

/** Holds all unsent payouts of a dealer that is being suspended. */
export async function holdPayoutsOf(
  context: RequestContext,
  dealerId: string,
  session: ClientSession,
): Promise<void> {
  const by = { type: 'system', id: 'suspendDealer' } as const;
  const hold = { reason: 'dealer_suspended', by, at: new Date(context.platform.now()) };
  await scoped(PayoutModel, context.installationId).updateMany(
    { dealerId, state: 'pending' },
    toUpdate(payoutSteps, context, { state: 'pending' }, { state: 'on_hold', hold, dueAt: null }),
    { session },
  );
}
