import type { ObjectChanged } from '../../../../schema/events.ts';
import type { Platform } from '../../../platform/context/Platform.ts';
import { consume } from '../../../platform/events/consume.ts';
import type { Installation } from '../../../platform/installation/Installation.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { JobRun } from '../../../platform/jobs/Job.ts';
import { dayMs } from '../../../platform/time/durations.ts';
import { findInstallation } from '../../kernel/announcement/findInstallation.ts';
import { inTurn } from '../catalog/columns/inTurn.ts';
import { ListingColumns } from '../catalog/columns/ListingColumns.ts';
import type { Slices } from '../catalog/columns/Slices.ts';
import { findRows } from '../catalog/embedded/embeddedCatalogSearch.ts';
import { shownListings } from '../catalog/public-listing/shownListings.ts';
import { alertsJob, commitMs, newSince } from './alerts.ts';
import { SavedSearchModel, type SavedSearchRecord } from './model.ts';
import { toCatalogSearch } from './query.ts';

/** Makes searches with an instant alert due when a listing that they find is published. */
export const savedSearchMatches = consume<ObjectChanged>({
  name: 'identity.saved-search-matches',
  types: ['object.created', 'object.published'],
  // All searches are compared with each batch, so events are collected for a while.
  afterMs: commitMs,
  async handle(events, run) {
    // A listing that is created in a public state publishes no second event.
    const listings = events.filter(
      ({ object, payload }) => object.type === 'listing' && payload?.visibility === 'PUBLIC',
    );
    for (const [installationId, published] of Map.groupBy(listings, (event) => event.installationId)) {
      const ids = published.map(({ object }) => object.id);
      await matchPublished(run, await findInstallation(installationId, run.platform), ids);
    }
  },
});

/** A listing that was first published earlier than this is not new. */
const freshMs = 7 * dayMs;
const pageSize = 2000;

/** Compares new listings with all instant searches of an installation, using the conditions of the catalog. */
export async function matchPublished(
  { platform, signal }: Pick<JobRun, 'platform' | 'signal'>,
  installation: Installation,
  listingIds: readonly string[],
): Promise<void> {
  const now = platform.now();
  const searches = scoped(SavedSearchModel, installation.id);
  let listings: NewListings | undefined;
  let isAnyDue = false;
  for await (const page of instantSearches(installation.id)) {
    listings ??= await readListings(installation.id, platform, listingIds);
    const { columns, newest } = listings;
    if (columns.size === 0) return;
    const found = await inTurn(() => findMatching(page, columns, { installation, now }), signal);
    if (found.length === 0) continue;
    // Searches that are already due are written as well: a search whose mail is being sent becomes due again.
    const alertDueAt = new Date(Math.max(now, newest + commitMs));
    await searches.updateMany({ _id: { $in: found }, alert: 'instant' }, { $set: { alertDueAt } });
    isAnyDue = true;
  }
  if (isAnyDue) platform.signals.send(alertsJob);
}

type Candidate = Pick<SavedSearchRecord, '_id' | 'userId' | 'query' | 'lastSeenAt' | 'toldUntil'>;

async function* instantSearches(installationId: string): AsyncGenerator<Candidate[]> {
  const projection = { userId: 1, query: 1, lastSeenAt: 1, toldUntil: 1 } as const;
  for (let after = ''; ; ) {
    const page = await scoped(SavedSearchModel, installationId).find(
      { alert: 'instant', _id: { $gt: after } },
      { projection, sort: { _id: 1 }, limit: pageSize },
    );
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = last._id;
  }
}

interface NewListings {
  columns: ListingColumns;
  /** Latest publication among them, in milliseconds. */
  newest: number;
}

async function readListings(
  installationId: string,
  platform: Platform,
  ids: readonly string[],
): Promise<NewListings> {
  const since = new Date(platform.now() - freshMs);
  const copies = await shownListings({ installationId, platform }).find({
    _id: { $in: [...ids] },
    publishedAt: { $gt: since },
  });
  const columns = new ListingColumns();
  for (const copy of copies) columns.put(copy);
  return { columns, newest: Math.max(...copies.map(({ publishedAt }) => publishedAt.getTime())) };
}

function* findMatching(
  searches: readonly Candidate[],
  columns: ListingColumns,
  { installation, now }: { installation: Installation; now: number },
): Slices<string[]> {
  const found: string[] = [];
  for (const { _id, query, userId, ...search } of searches) {
    const limits = { publishedAfter: newSince(search), exceptSeller: userId };
    const { rows } = yield* findRows(columns, toCatalogSearch(query, installation, limits), {
      now,
      isShown: null,
    });
    if (rows.length > 0) found.push(_id);
  }
  return found;
}
