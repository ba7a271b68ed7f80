import type { ClientSession } from 'mongoose';
import type { InstallationContext } from '../../../../platform/context/InstallationContext.ts';
import { reads, scoped } from '../../../../platform/installation/scoped.ts';
import type { Job, JobRun } from '../../../../platform/jobs/Job.ts';
import { inTransaction } from '../../../../platform/mongo/inTransaction.ts';
import { hourMs } from '../../../../platform/time/durations.ts';
import type { OwnerRef } from '../../../kernel/owner/OwnerRef.ts';
import { queueMail } from '../../../mail/queueMail.ts';
import { findOwners } from '../../../people/dealer/findOwners.ts';
import { DealerModel } from '../../../people/dealer/model.ts';
import { UserModel, type UserRecord } from '../../../people/user/model.ts';
import { ListingModel, type ListingRecord } from '../record/model.ts';
import { type ExpiryNotice, noticesMs } from '../record/noticeOf.ts';

const batchSize = 200;
/** Listings that expire soon after are included: one mail covers everything that was published within half a day. */
const togetherMs = 12 * hourMs;
/** Maximum number of titles in a mail; the mail states the total. */
const mostTitles = 10;
const runningStates = ['active', 'paused', 'reserved'] as const;

/** Notices that are not sent yet. */
const before = { week: [null], day: [null, 'week'] } as const;

/** Mails owners that listings expire in a week, and in a day. */
export const noticeExpiry: Job = {
  name: 'identity.listing-expiry-notices',
  everyMs: 10 * 60_000,
  async run(run) {
    for (const { id } of run.platform.installations.all)
      for (const notice of ['day', 'week'] as const) await noticeAll(id, notice, run);
  },
};

async function noticeAll(installationId: string, notice: ExpiryNotice, run: JobRun): Promise<void> {
  const { platform, signal, assertHeld } = run;
  for (;;) {
    const due = await scoped(ListingModel, installationId).find(toFilter(notice, platform.now(), 0), {
      projection: { owner: 1 },
      limit: batchSize,
    });
    const owners = new Map(due.map(({ owner }) => [owner.id, owner]));
    for (const owner of owners.values()) {
      if (signal.aborted) return;
      await assertHeld();
      await inTransaction((session) => noticeOwner({ installationId, platform }, owner, notice, session));
    }
    if (due.length < batchSize) return;
  }
}

function toFilter(notice: ExpiryNotice, now: number, aheadMs: number) {
  return {
    state: { $in: [...runningStates] },
    expiryNotice: { $in: [...before[notice]] },
    expiresAt: { $gt: new Date(now), $lte: new Date(now + noticesMs[notice] + aheadMs) },
  };
}

/** Queues the mail and records it in one transaction, so an interruption leaves neither. */
async function noticeOwner(
  place: InstallationContext,
  owner: OwnerRef,
  notice: ExpiryNotice,
  session: ClientSession,
): Promise<void> {
  const listings = scoped(ListingModel, place.installationId);
  const filter = { ...toFilter(notice, place.platform.now(), togetherMs), 'owner.id': owner.id };
  const found = await listings.find(filter, {
    projection: { title: 1, expiresAt: 1 },
    sort: { expiresAt: 1, _id: 1 },
    session,
  });
  if (found.length === 0) return;
  await listings.updateMany(
    { _id: { $in: found.map(({ _id }) => _id) } },
    { $set: { expiryNotice: notice } },
    { session },
  );
  for (const reader of await findReaders(place, owner, session))
    if (reader.notificationPreferences.listing.email) await mail(place, reader, found, session);
}

/** Returns a private owner, or the owners of the dealer. */
async function findReaders(
  { installationId }: InstallationContext,
  { type, id }: OwnerRef,
  session: ClientSession,
): Promise<UserRecord[]> {
  if (type === 'user')
    return reads(UserModel, installationId).find({ _id: id, state: { $ne: 'deleted' } }, { session });
  const dealer = await reads(DealerModel, installationId).findOne({ _id: id }, { session });
  return dealer ? findOwners({ installationId }, dealer, { session }) : [];
}

async function mail(
  place: InstallationContext,
  { email: to, locale, displayName }: UserRecord,
  found: readonly Pick<ListingRecord, 'title' | 'expiresAt'>[],
  session: ClientSession,
): Promise<void> {
  const titles = found.slice(0, mostTitles).map(({ title }) => title ?? '');
  const data = {
    displayName,
    count: String(found.length),
    titles: [...titles, ...(found.length > mostTitles ? ['…'] : [])].join(', '),
    firstAt: found[0]?.expiresAt?.toISOString() ?? '',
  };
  await queueMail(place, { to, locale, template: 'listingsExpire', data }, { session });
}
