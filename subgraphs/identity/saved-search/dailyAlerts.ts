import { RequestContext } from '../../platform/context/RequestContext.ts';
import type { Installation } from '../../platform/installation/Installation.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { drainEach } from '../../platform/jobs/drainEach.ts';
import type { Job, JobRun } from '../../platform/jobs/Job.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';
import { columnCatalogSearch } from '../catalog/columnCatalogSearch.ts';
import type { CatalogListingRecord } from '../catalog/model.ts';
import { UserModel, type UserRecord } from '../user/model.ts';
import { mailMatches, mostTitles, wantsMail } from './mailMatches.ts';
import { SavedSearchModel, type SavedSearchRecord } from './model.ts';
import { toSearch } from './toSearch.ts';

const batchSize = 50;
const dayMs = 24 * 3600 * 1000;
/** What cannot be searched now is searched soon. */
const retryMs = 10 * 60_000;
/** From here on a mail only says that there are many. */
const mostCounted = 100;

/** Once a day, at the hour at which it was saved, each search with a daily alert is looked for what is new. */
export const dailyAlerts: Job = {
  name: 'identity.search-alerts-daily',
  everyMs: 60_000,
  run: (run) => drainEach(run, batchSize, (installation) => tellBatch(installation, run)),
};

/** Whatever is due is not due behind it; answers how much it was. */
async function tellBatch(installation: Installation, run: JobRun): Promise<number> {
  const { platform } = run;
  const due = await scoped(SavedSearchModel, installation.id).find(
    { alertDueAt: { $lte: new Date(platform.now()) } },
    { sort: { alertDueAt: 1, _id: 1 }, limit: batchSize },
  );
  const owners = [...new Set(due.map(({ userId }) => userId))];
  const users =
    owners.length > 0 ? await scoped(UserModel, installation.id).find({ _id: { $in: owners } }) : [];
  const userById = new Map(users.map((user) => [user._id, user]));
  for (const search of due) {
    if (run.signal.aborted) break;
    await tell({ installation, run, search, user: userById.get(search.userId) });
  }
  return due.length;
}

interface Telling {
  installation: Installation;
  run: JobRun;
  search: SavedSearchRecord;
  user: UserRecord | undefined;
}

/** One that fails is tried again later, and keeps none of the others from their turn. */
async function tell(telling: Telling): Promise<void> {
  const { run, search } = telling;
  const { platform } = run;
  try {
    await tellOne(telling);
  } catch (error) {
    platform.log.warn({ err: error, search: search._id }, 'saved search not run');
    await takeTurn(telling, platform.now() + retryMs);
  }
}

async function tellOne(telling: Telling): Promise<void> {
  const { installation, run, search, user } = telling;
  const { platform } = run;
  const next = nextTurn(search, platform.now());
  const found = user && wantsMail(user) ? await findNew(telling) : null;
  const [newest] = found?.newest ?? [];
  if (!user || !found || !newest) return takeTurn(telling, next);
  await inTransaction(async (session) => {
    const { _id, alertDueAt } = search;
    const own = await scoped(SavedSearchModel, installation.id).findOneAndUpdate(
      { _id, alertDueAt, alert: 'daily' },
      {
        $set: {
          alertDueAt: new Date(next),
          toldAt: new Date(platform.now()),
          toldUntil: newest.publishedAt,
        },
      },
      { session },
    );
    if (own) await mailMatches({ platform, installation }, { user, search, ...found }, session);
  });
}

/** Nothing is told. What was changed meanwhile stays as it was changed. */
async function takeTurn({ installation, search }: Telling, dueAtMs: number): Promise<void> {
  const { _id, alertDueAt } = search;
  await scoped(SavedSearchModel, installation.id).findOneAndUpdate(
    { _id, alertDueAt },
    { $set: { alertDueAt: new Date(dueAtMs) } },
  );
}

/** The same hour as before; days on which nobody looked are not made up for. */
function nextTurn({ alertDueAt }: SavedSearchRecord, now: number): number {
  const due = alertDueAt?.getTime() ?? now;
  return due + dayMs * (1 + Math.floor((now - due) / dayMs));
}

/** Behind what the owner has seen or was told of. */
async function findNew({
  installation,
  run,
  search,
}: Telling): Promise<{ count: number; newest: CatalogListingRecord[] }> {
  const { lastSeenAt, toldUntil, query } = search;
  const after = toldUntil && toldUntil > lastSeenAt ? toldUntil : lastSeenAt;
  // Nobody asks: the job has no caller, and the catalogue is public.
  const context = new RequestContext(run.platform, { installation, clientAddress: '', userAgent: '' });
  const wanted = toSearch(query, context, after);
  const { nodes } = await columnCatalogSearch.search(context, wanted, {
    first: mostTitles,
    after: null,
    count: false,
  });
  const newest = nodes.filter(({ seller }) => seller.id !== search.userId);
  const count =
    nodes.length < mostTitles ? newest.length : await columnCatalogSearch.count(context, wanted, mostCounted);
  return { newest, count };
}
