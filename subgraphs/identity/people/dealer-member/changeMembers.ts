import type { ClientSession } from 'mongoose';
import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import { concurrentUpdate } from '../../../platform/concurrency/concurrentUpdate.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { DealerModel, type DealerRecord, type StoredMember } from '../dealer/model.ts';

/** Decision about the members of a dealer. */
interface MembersChange {
  members: StoredMember[];
  /** Name of the root field, and what it does to whom, for the audit. */
  action: string;
  reason: string;
}

/**
 * Changes the members of a dealer in a transaction, on the version that the decision is based on. All changes of
 * members use this function, so no dealer is ever without an owner.
 *
 * @throws AppError `last_owner`, `concurrent_update`
 */
export async function changeMembers(
  context: RequestContext,
  { _id, version }: Pick<DealerRecord, '_id' | 'version'>,
  { members, action, reason }: MembersChange,
  session: ClientSession,
): Promise<DealerRecord> {
  if (!members.some(({ role }) => role === 'owner'))
    throw new AppError(
      'last_owner',
      'A dealer needs at least one owner. Make another member an owner first.',
    );
  const dealer = await scoped(DealerModel, context.installationId).findOneAndUpdate(
    { _id, version },
    { $set: { members, updatedAt: new Date(context.platform.now()) }, $inc: { version: 1 } },
    { session },
  );
  if (!dealer) {
    throw concurrentUpdate('dealer');
  }
  await recordAudit(context, { action, target: { type: 'dealer', id: _id }, reason }, { session });
  return dealer;
}

/** Returns a dealer as read in this transaction. @throws AppError `not_found` */
export async function findDealer(
  { installationId }: Pick<RequestContext, 'installationId'>,
  dealerId: string,
  session: ClientSession,
): Promise<DealerRecord> {
  const dealer = await scoped(DealerModel, installationId).findOne({ _id: dealerId }, { session });
  if (!dealer) throw notFound('The dealer');
  return dealer;
}
