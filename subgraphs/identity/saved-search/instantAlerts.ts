import type { Installation } from '../../platform/installation/Installation.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { drainEach } from '../../platform/jobs/drainEach.ts';
import type { Job, JobRun } from '../../platform/jobs/Job.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';
import type { CatalogListingRecord } from '../catalog/model.ts';
import { shownListings } from '../catalog/shownListings.ts';
import { UserModel, type UserRecord } from '../user/model.ts';
import { mailMatches, wantsMail } from './mailMatches.ts';
import { SavedSearchModel, type SavedSearchRecord, SearchHitModel, type SearchHitRecord } from './model.ts';

const batchSize = 500;
/** A stock that goes online at once is one mail and another one later, not a thousand. */
const pauseMs = 15 * 60_000;

/** Mails what searches with an instant alert have found. */
export const instantAlerts: Job = {
  name: 'identity.search-alerts',
  everyMs: 30_000,
  run: (run) => drainEach(run, batchSize, (installation) => tellBatch(installation, run)),
};

/** Whatever is due is not due behind it; answers how much it was. */
async function tellBatch(installation: Installation, run: JobRun): Promise<number> {
  const { id } = installation;
  const due = await scoped(SearchHitModel, id).find(
    { dueAt: { $lte: new Date(run.platform.now()) } },
    { sort: { dueAt: 1, _id: 1 }, limit: batchSize },
  );
  if (due.length === 0) return 0;
  const bySearch = Map.groupBy(due, ({ searchId }) => searchId);
  const searches = await scoped(SavedSearchModel, id).find({ _id: { $in: [...bySearch.keys()] } });
  const users = await scoped(UserModel, id).find({ _id: { $in: searches.map(({ userId }) => userId) } });
  const shown = await shownListings({ installationId: id, platform: run.platform }).find(
    { _id: { $in: [...new Set(due.map(({ listingId }) => listingId))] } },
    { projection: { title: 1, slug: 1, publishedAt: 1 } },
  );
  const searchById = new Map(searches.map((search) => [search._id, search]));
  const userById = new Map(users.map((user) => [user._id, user]));
  const copies = new Map(shown.map((copy) => [copy._id, copy]));
  for (const [searchId, hits] of bySearch) {
    const search = searchById.get(searchId);
    const user = search && userById.get(search.userId);
    await tell({ installation, run, searchId, search, user, newest: unseen(search, hits, copies) });
  }
  return due.length;
}

/** What is still shown and not seen yet, the newest first. */
function unseen(
  search: SavedSearchRecord | undefined,
  hits: readonly SearchHitRecord[],
  copies: ReadonlyMap<string, CatalogListingRecord>,
): CatalogListingRecord[] {
  return hits
    .flatMap(({ listingId }) => copies.get(listingId) ?? [])
    .filter(({ publishedAt }) => search && publishedAt > search.lastSeenAt)
    .sort((one, other) => other.publishedAt.getTime() - one.publishedAt.getTime());
}

interface Telling {
  installation: Installation;
  run: JobRun;
  searchId: string;
  /** Undefined once it is deleted. */
  search: SavedSearchRecord | undefined;
  user: UserRecord | undefined;
  newest: readonly CatalogListingRecord[];
}

async function tell({ installation, run, searchId, search, user, newest }: Telling): Promise<void> {
  const { platform } = run;
  const hits = scoped(SearchHitModel, installation.id);
  const now = platform.now();
  const due = { searchId, dueAt: { $lte: new Date(now) } };
  const isWanted = search?.alert === 'instant' && user !== undefined && wantsMail(user) && newest.length > 0;
  if (!isWanted) {
    await hits.updateMany(due, { $set: { dueAt: null } });
    return;
  }
  const again = (search.toldAt?.getTime() ?? 0) + pauseMs;
  if (again > now) {
    await hits.updateMany(due, { $set: { dueAt: new Date(again) } });
    return;
  }
  await inTransaction(async (session) => {
    const { _id, toldAt } = search;
    const own = await scoped(SavedSearchModel, installation.id).findOneAndUpdate(
      { _id, toldAt, alert: 'instant' },
      { $set: { toldAt: new Date(now) } },
      { session },
    );
    // Somebody else was faster: what is due still is so for him.
    if (!own) return;
    await hits.updateMany(due, { $set: { dueAt: null } }, { session });
    await mailMatches({ platform, installation }, { user, search, count: newest.length, newest }, session);
  });
}
