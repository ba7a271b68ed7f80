import type { CreateSavedSearchInput } from '../../../schema/identity.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError, invalidFields } from '../../platform/errors/AppError.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';
import { columnCatalogSearch } from '../catalog/columnCatalogSearch.ts';
import { checkLine } from '../dealer/checkLine.ts';
import { openOwner, touchOwner } from '../owner/touchOwner.ts';
import { lowerCase } from '../upperCase.ts';
import { findAnchors } from './findAnchors.ts';
import { SavedSearchModel, type SavedSearchRecord, searchesPerUser } from './model.ts';
import { readQuery } from './readQuery.ts';

const longestName = 80;
const dayMs = 24 * 3600 * 1000;

interface Outcome {
  savedSearch: SavedSearchRecord;
  created: boolean;
}

/** What a caller says of a search; `undefined` is what he has not said. */
interface Wish extends Pick<SavedSearchRecord, 'name' | 'query' | 'fingerprint'> {
  alert: SavedSearchRecord['alert'] | undefined;
  lastSeenAt: Date | undefined;
}

/** How the search is kept for the alert that was wished for; nothing where none was named. */
type Alert = Partial<Pick<SavedSearchRecord, 'alert' | 'anchors' | 'alertDueAt'>>;

/** The same query again is the same search: it gets the new name, alert and time. */
export async function createSavedSearch(
  input: CreateSavedSearchInput,
  context: RequestContext,
): Promise<Outcome> {
  const wish = await withAlert(await read(input, context), context);
  await openOwner(context, context.viewer.id);
  return store(context.attempt.newId('savedSearch'), wish, context);
}

/** @throws AppError `validation_failed` */
async function read(
  { name, alert, lastSeenAt, query }: CreateSavedSearchInput,
  context: RequestContext,
): Promise<Wish> {
  const problems = [...checkLine(name.trim(), '#/name', { maximum: longestName })];
  if (problems.length > 0) throw invalidFields(problems);
  const now = context.platform.now();
  return {
    name: name.trim(),
    ...(await readQuery(query, context)),
    alert: alert ? lowerCase(alert) : undefined,
    // A clock that is ahead must not hide what is published in between.
    lastSeenAt: lastSeenAt ? new Date(Math.min(lastSeenAt.getTime(), now)) : undefined,
  };
}

async function withAlert(wish: Wish, context: RequestContext): Promise<Wish & { kept: Alert }> {
  const { alert, query } = wish;
  if (alert === undefined) return { ...wish, kept: {} };
  const anchors = alert === 'instant' ? await findAnchors(query, context, columnCatalogSearch) : undefined;
  const alertDueAt = alert === 'daily' ? new Date(context.platform.now() + dayMs) : null;
  return { ...wish, kept: { alert, alertDueAt, ...(anchors && { anchors }) } };
}

/** Whoever says again that he wants a mail a day would else put it off each time. */
function withHour(kept: Alert, before: SavedSearchRecord | null): Alert {
  return kept.alertDueAt && before?.alertDueAt ? { ...kept, alertDueAt: before.alertDueAt } : kept;
}

/** Those of one account meet on its record: without it two of them would each count without the other. */
function store(_id: string, wish: Wish & { kept: Alert }, context: RequestContext): Promise<Outcome> {
  const { viewer, platform, installationId } = context;
  const { name, query, fingerprint, kept, lastSeenAt } = wish;
  const searches = scoped(SavedSearchModel, installationId);
  const own = { userId: viewer.id };
  return inTransaction(async (session) => {
    await touchOwner(context, viewer.id, session);
    const before = await searches.findOne({ ...own, fingerprint }, { session });
    const changed = await searches.findOneAndUpdate(
      { ...own, fingerprint },
      {
        $set: { name, ...withHour(kept, before) },
        ...(kept.alert && !kept.anchors ? { $unset: { anchors: 1 } } : {}),
        // What was seen stays seen, whichever device says so last.
        ...(lastSeenAt ? { $max: { lastSeenAt } } : {}),
      },
      { session },
    );
    // An earlier run under the same key may have made it and died before anybody was told.
    if (changed) return { savedSearch: changed, created: changed._id === _id };
    if ((await searches.count(own, { limit: searchesPerUser, session })) >= searchesPerUser)
      throw new AppError(
        'saved_search_limit',
        `At most ${searchesPerUser} searches can be saved; delete one first.`,
      );
    const now = new Date(platform.now());
    const savedSearch = await searches.insert(
      {
        _id,
        ...own,
        name,
        query,
        fingerprint,
        alert: 'none',
        alertDueAt: null,
        toldAt: null,
        toldUntil: null,
        ...kept,
        lastSeenAt: lastSeenAt ?? now,
        createdAt: now,
      },
      { session },
    );
    return { savedSearch, created: true };
  });
}
