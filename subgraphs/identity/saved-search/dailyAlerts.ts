import { RequestContext } from '../../platform/context/RequestContext.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { type DueScope, dueJob } from '../../platform/jobs/dueJob.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';
import { columnCatalogSearch } from '../catalog/columnCatalogSearch.ts';
import type { CatalogListingRecord } from '../catalog/model.ts';
import { UserModel } from '../user/model.ts';
import { mailMatches, mostTitles, wantsMail } from './mailMatches.ts';
import { SavedSearchModel, type SavedSearchRecord } from './model.ts';
import { toSearch } from './toSearch.ts';

const dayMs = 24 * 3600 * 1000;
/** From here on a mail only says that there are many. */
const mostCounted = 100;

/** Once a day, at the hour at which it was saved, each search with a daily alert is searched for new listings. */
export const dailyAlerts = dueJob({
  name: 'identity.search-alerts-daily',
  everyMs: 60_000,
  model: SavedSearchModel,
  due: 'alertDueAt',
  // A search that fails is run again soon, not a day later.
  retryMs: 10 * 60_000,
  work: mailNew,
});

async function mailNew(scope: DueScope, search: SavedSearchRecord): Promise<void> {
  const { installationId, platform } = scope;
  const { _id, alertDueAt, userId } = search;
  const searches = scoped(SavedSearchModel, installationId);
  const next = new Date(nextTurn(search, platform.now()));
  const user = await scoped(UserModel, installationId).findOne({ _id: userId });
  const found = user && wantsMail(user) ? await findNew(scope, search) : null;
  const [newest] = found?.newest ?? [];
  if (!user || !found || !newest) {
    // A search that was changed meanwhile stays as it was changed.
    await searches.findOneAndUpdate({ _id, alertDueAt }, { $set: { alertDueAt: next } });
    return;
  }
  await inTransaction(async (session) => {
    const own = await searches.findOneAndUpdate(
      { _id, alertDueAt, alert: 'daily' },
      { $set: { alertDueAt: next, toldAt: new Date(platform.now()), toldUntil: newest.publishedAt } },
      { session },
    );
    if (own) await mailMatches(scope, { user, search, ...found }, session);
  });
}

/** The same hour as before; days on which nobody looked are not made up for. */
function nextTurn({ alertDueAt }: SavedSearchRecord, now: number): number {
  const due = alertDueAt?.getTime() ?? now;
  return due + dayMs * (1 + Math.floor((now - due) / dayMs));
}

/** Behind what the owner has seen or was told of. */
async function findNew(
  { installation, platform }: DueScope,
  search: SavedSearchRecord,
): Promise<{ count: number; newest: CatalogListingRecord[] }> {
  const { lastSeenAt, toldUntil, query } = search;
  const after = toldUntil && toldUntil > lastSeenAt ? toldUntil : lastSeenAt;
  // Nobody asks: the job has no caller, and the catalogue is public.
  const context = new RequestContext(platform, { installation, clientAddress: '', userAgent: '' });
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
