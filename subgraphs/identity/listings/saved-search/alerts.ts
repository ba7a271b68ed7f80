import type { ClientSession } from 'mongoose';
import { RequestContext } from '../../../platform/context/RequestContext.ts';
import { reads, scoped } from '../../../platform/installation/scoped.ts';
import { type DueScope, dueJob } from '../../../platform/jobs/dueJob.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { dayMs } from '../../../platform/time/durations.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { defaultPreferences } from '../../people/user/createUser.ts';
import { UserModel, type UserRecord } from '../../people/user/model.ts';
import { catalogSearchOf } from '../catalog/catalogSearchOf.ts';
import type { CatalogListingRecord } from '../catalog/public-listing/model.ts';
import { SavedSearchModel, type SavedSearchRecord } from './model.ts';
import { toCatalogSearch } from './query.ts';

export const alertsJob = 'identity.search-alerts';

/** Shortest time between two mails of an instant alert. */
const pauseMs = 15 * 60_000;
/**
 * Listings wait so long until an alert reports them. A listing is visible only once its transaction is committed, so
 * one with an earlier publication may appear after a later one; an alert that had reported the later one would miss it.
 */
export const commitMs = 10_000;
/** Maximum number of titles in a mail; the mail states how many more there are. */
const mostTitles = 5;
/** Maximum number of listings that a mail reports; it means this many or more. */
const mostCounted = 100;

/**
 * Mails the matches of saved searches with an alert. Daily alerts run at the hour when they were set, instant ones
 * after a matching listing is published.
 */
export const searchAlerts = dueJob({
  name: alertsJob,
  everyMs: 30_000,
  model: SavedSearchModel,
  due: 'alertDueAt',
  retryMs: 10 * 60_000,
  work: mailNew,
});

/** Returns the time after which publications are new to the owner of a search. */
export function newSince({
  lastSeenAt,
  toldUntil,
}: Pick<SavedSearchRecord, 'lastSeenAt' | 'toldUntil'>): Date {
  return toldUntil && toldUntil > lastSeenAt ? toldUntil : lastSeenAt;
}

async function mailNew(scope: DueScope, search: SavedSearchRecord): Promise<void> {
  const { installationId, platform } = scope;
  const now = platform.now();
  const isInstant = search.alert === 'instant';
  const pausedUntil = isInstant && search.toldAt ? search.toldAt.getTime() + pauseMs : 0;
  if (pausedUntil > now) return void (await move(scope, search, { alertDueAt: new Date(pausedUntil) }));
  const alertDueAt = isInstant ? null : nextDay(search, now);
  const until = new Date(now - commitMs);
  const user = await reads(UserModel, installationId).findOne({ _id: search.userId });
  if (!user || !wantsMail(user)) {
    // An owner who turns mails on again gets none for earlier matches of an instant alert.
    await move(scope, search, { alertDueAt, ...(isInstant && { toldUntil: until }) });
    return;
  }
  const { newest, count } = await findNew(scope, search, until);
  const [first] = newest;
  if (!first) return void (await move(scope, search, { alertDueAt }));
  await inTransaction(async (session) => {
    const told = { alertDueAt, toldAt: new Date(now), toldUntil: first.publishedAt };
    if (!(await move(scope, search, told, session))) return;
    const mail = {
      to: user.email,
      locale: user.locale,
      template: 'savedSearchMatches' as const,
      data: {
        displayName: user.displayName,
        name: search.name,
        count: String(count),
        newest: JSON.stringify(newest.map(({ title }) => title)),
        more: String(count - newest.length),
        url: `${scope.installation.baseUrl}/listings/${first.slug}`,
      },
    };
    await queueMail(scope, mail, { session });
  });
}

type Step = Pick<SavedSearchRecord, 'alertDueAt'> & { toldAt?: Date; toldUntil?: Date };

/** Finishes a run. Returns false without a write if the search has changed or matched since it was read. */
async function move(
  { installationId }: DueScope,
  { _id, alertDueAt }: SavedSearchRecord,
  { toldUntil, ...step }: Step,
  session?: ClientSession,
): Promise<boolean> {
  const moved = await scoped(SavedSearchModel, installationId).findOneAndUpdate(
    { _id, alertDueAt },
    { $set: step, ...(toldUntil && { $max: { toldUntil } }) },
    { session },
  );
  return moved !== null;
}

/** Returns the next day at the same hour; missed days are skipped. */
function nextDay({ alertDueAt }: SavedSearchRecord, now: number): Date {
  const due = alertDueAt?.getTime() ?? now;
  return new Date(due + dayMs * (1 + Math.floor((now - due) / dayMs)));
}

function wantsMail({ state, emailVerified, notificationPreferences }: UserRecord): boolean {
  const { savedSearch } = { ...defaultPreferences, ...notificationPreferences };
  return state === 'active' && emailVerified && savedSearch.email;
}

/** Returns new listings of other sellers, in descending order of publication. */
async function findNew(
  { installation, platform }: DueScope,
  search: SavedSearchRecord,
  publishedUntil: Date,
): Promise<{ count: number; newest: CatalogListingRecord[] }> {
  // The catalog is public, so a job reads it without a caller.
  const context = new RequestContext(platform, { installation, clientAddress: '', userAgent: '' });
  const limits = { publishedAfter: newSince(search), publishedUntil, exceptSeller: search.userId };
  const wanted = toCatalogSearch(search.query, installation, limits);
  const page = { first: mostTitles, after: null, count: false };
  const { nodes: newest, pageInfo } = await catalogSearchOf(platform).search(context, wanted, page);
  if (!pageInfo.hasNextPage) return { newest, count: newest.length };
  return { newest, count: await catalogSearchOf(platform).count(context, wanted, mostCounted) };
}
