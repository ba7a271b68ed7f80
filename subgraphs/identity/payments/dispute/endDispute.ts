import type { ClientSession } from 'mongoose';
import { recordSystemAudit } from '../../../platform/audit/recordAudit.ts';
import { concurrentUpdate } from '../../../platform/concurrency/concurrentUpdate.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { releaseMedia } from '../../media/holdMedia.ts';
import type { MoneyContext } from '../ledger/MoneyContext.ts';
import type { PaymentRecord } from '../payment/record/model.ts';
import { toUpdate } from '../steps/takeSteps.ts';
import { disputeSteps } from './disputeSteps.ts';
import { postRelease } from './postDispute.ts';
import { DisputeModel, type DisputeRecord } from './record/model.ts';
import { openStates } from './record/states.ts';

/**
 * Stores the outcome of a dispute, and releases its files and the held amount, except the part that is refunded.
 *
 * @throws AppError `concurrent_update`
 */
export async function endDispute(
  scope: MoneyContext,
  before: DisputeRecord,
  { state, outcome }: Pick<DisputeRecord, 'state' | 'outcome'>,
  session: ClientSession,
): Promise<DisputeRecord> {
  const { installationId } = scope;
  const after = await scoped(DisputeModel, installationId).findOneAndUpdate(
    { _id: before._id, version: before.version },
    toUpdate(disputeSteps, scope, before, { state, outcome, dueAt: null }),
    { session },
  );
  if (!after) throw concurrentUpdate();
  await postRelease(scope, after, session);
  const mediaIds = after.evidence.flatMap((one) => one.mediaIds);
  await releaseMedia({ installationId, type: 'dispute', id: before._id, mediaIds }, session);
  return after;
}

/**
 * Ends the open dispute about a payment that the payer's bank has charged back. The payer already has the money, so the
 * dispute refunds nothing.
 *
 * @param by name of the job that reads chargebacks
 */
export async function endChargedBackDispute(
  scope: MoneyContext,
  { disputeId }: Pick<PaymentRecord, 'disputeId'>,
  by: string,
  session: ClientSession,
): Promise<void> {
  const { installationId, platform } = scope;
  const before =
    disputeId === null
      ? null
      : await scoped(DisputeModel, installationId).findOne({ _id: disputeId }, { session });
  if (!before || !openStates.includes(before.state)) return;
  const at = new Date(platform.now());
  const statement = 'The payer’s bank has charged the payment back.';
  const outcome = { refunded: 0, statement, by, at, key: by };
  await endDispute(scope, before, { state: 'lost', outcome }, session);
  const target = { type: 'dispute', id: before._id };
  await recordSystemAudit(
    { name: by, installationId, at },
    { action: 'resolveDispute', target, reason: `lost: ${statement}` },
    { session },
  );
}
