import type { ClientSession, QueryFilter } from 'mongoose';
import { recordSystemAudit } from '../../../platform/audit/recordAudit.ts';
import { reads } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { ErasedUser, PersonalData } from '../../kernel/personal-data/PersonalData.ts';
import { DealerModel } from '../../people/dealer/model.ts';
import { leaveDealers } from '../../people/dealer-member/leaveDealers.ts';
import { peopleHooks } from '../../people/hooks/peopleHooks.ts';
import { changeUserState } from '../../people/user/changeUserState.ts';
import { endErasure, storeTombstone } from '../../people/user/erasedUser.ts';
import { UserModel, type UserRecord } from '../../people/user/model.ts';
import { hasOpenCase } from './hasOpenCase.ts';
import { findUnfinishedDealers, isLastOwner } from './ownedDealers.ts';

/** An account to erase, with the job that erases it. */
export interface Erasure extends ErasedUser {
  /** Name of the job, for the audit. */
  job: string;
  /** Personal data of all resources. */
  personalData: readonly PersonalData[];
}

/** `postponed`: an open dealer would be left without an owner, so the caller retries later. */
export type ErasureOutcome = 'erased' | 'not due' | 'postponed';

/** Requests that were in progress during the erasure have ended after this time. What they wrote is erased as well. */
const stragglersMs = 60_000;

/**
 * Turns an account into an anonymous record that keeps only its id, which ledger, audit and other users' records refer
 * to. One transaction takes the account from its owner and out of its dealers. The remaining data is erased in
 * repeatable steps, and `finishErasures` repeats them after a crash.
 *
 * @param due condition that the account must meet in the transaction that erases it, as in `{ state: 'unverified',
 *   createdAt: { $lte: … } }`; only accounts in that state or `deletion_scheduled` can be erased
 */
export async function eraseUser(erasure: Erasure, due: QueryFilter<UserRecord>): Promise<ErasureOutcome> {
  const outcome = await inTransaction((session) => replaceByTombstone(erasure, due, session));
  if (outcome !== 'erased') return outcome;
  erasure.platform.forgetPrincipal({ userId: erasure.userId });
  await clear(erasure);
  return outcome;
}

/** Repeats the steps of started erasures until no data remains and no open case holds any. */
export async function finishErasure(erasure: Erasure, erasedAt: Date): Promise<void> {
  const { platform, installationId, userId } = erasure;
  await clear(erasure);
  if (platform.now() - erasedAt.getTime() < stragglersMs || (await hasOpenCase(erasure))) return;
  await endErasure(installationId, userId);
}

/** Calls every resource, even after one fails. An unavailable provider delays only its own part. */
async function clear({ personalData, ...user }: Erasure): Promise<void> {
  const failures: unknown[] = [];
  for (const { erase } of personalData) await erase?.(user).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures);
}

async function replaceByTombstone(
  { platform, installationId, userId, job, personalData }: Erasure,
  due: QueryFilter<UserRecord>,
  session: ClientSession,
): Promise<ErasureOutcome> {
  const filter: QueryFilter<UserRecord> = { $and: [{ _id: userId, erasure: null }, due] };
  const user = await reads(UserModel, installationId).findOne(filter, { session });
  if (!user) return 'not due';
  const memberships = await reads(DealerModel, installationId).find(
    { 'members.userId': userId },
    { projection: { state: 1, members: 1 }, sort: { _id: 1 }, session },
  );
  if (findUnfinishedDealers(memberships, userId).length > 0) return 'postponed';
  const at = new Date(platform.now());
  // The last owner of a closed dealer stays in its record, by id.
  const left = memberships.filter((dealer) => !isLastOwner(dealer, userId)).map(({ _id }) => _id);
  await leaveDealers(installationId, { dealerIds: left, userId, at }, session);
  await peopleHooks.bound.membershipEnded({ installationId, platform }, { dealerIds: left, userId }, session);
  for (const { eraseByAddress } of personalData) await eraseByAddress?.({ installationId, user, session });
  const locale = platform.installations.findById(installationId)?.locales[0] ?? 'en';
  const actor = { type: 'system', id: job } as const;
  const gone = await changeUserState(
    { installationId, platform },
    user,
    { by: 'eraseUser', actor },
    { session },
  );
  await storeTombstone(gone, { at, locale }, session);
  await recordSystemAudit(
    { name: job, installationId, at },
    { action: 'eraseUser', target: { type: 'user', id: userId } },
    { session },
  );
  return 'erased';
}
