import type { ClientSession } from 'mongoose';
import { recordSystemAudit } from '../../../platform/audit/recordAudit.ts';
import { concurrentUpdate } from '../../../platform/concurrency/concurrentUpdate.ts';
import { announce } from '../../../platform/events/outbox.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { releaseMedia } from '../../media/holdMedia.ts';
import type { MoneyContext } from '../ledger/MoneyContext.ts';
import type { LedgerSource } from '../ledger/model.ts';
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
  const { _id: id, amount } = after;
  const release = { released: amount - (outcome?.refunded ?? 0), source: { type: 'dispute', id } } as const;
  await postRelease(scope, after, release, session);
  const mediaIds = after.evidence.flatMap((one) => one.mediaIds);
  await releaseMedia({ installationId, type: 'dispute', id: before._id, mediaIds }, session);
  return after;
}

/** Money that the payer's bank has taken from a disputed payment. */
interface Taken {
  /** Minor units. */
  readonly taken: number;
  readonly source: LedgerSource;
  /** Name of the job that reads chargebacks. */
  readonly by: string;
}

/**
 * Takes a chargeback from the open dispute about its payment. The payer already has this money, so the dispute is about
 * the rest. Without a rest it ends as lost and refunds nothing.
 */
export async function takeFromDispute(
  scope: MoneyContext,
  { disputeId }: Pick<PaymentRecord, 'disputeId'>,
  { taken, source, by }: Taken,
  session: ClientSession,
): Promise<void> {
  const { installationId, platform } = scope;
  const before =
    disputeId === null
      ? null
      : await scoped(DisputeModel, installationId).findOne({ _id: disputeId }, { session });
  if (!before || !openStates.includes(before.state)) return;
  if (taken < before.amount) return reduceDispute(scope, before, { taken, source }, session);
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

async function reduceDispute(
  scope: MoneyContext,
  { _id, state, version }: DisputeRecord,
  { taken, source }: Omit<Taken, 'by'>,
  session: ClientSession,
): Promise<void> {
  const after = await scoped(DisputeModel, scope.installationId).findOneAndUpdate(
    { _id, version },
    {
      $inc: { amount: -taken, version: 1 },
      $set: { updatedAt: new Date(scope.platform.now()) },
      $push: announce(scope, 'dispute.updated', { data: { state } }),
    },
    { session },
  );
  if (!after) throw concurrentUpdate();
  await postRelease(scope, after, { released: taken, source }, session);
}
