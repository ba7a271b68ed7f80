import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { dayMs } from '../../../platform/time/durations.ts';
import type { CreateSavedSearchInput } from '../../identity.generated.ts';
import { checkLine } from '../../kernel/text/checkLine.ts';
import { ensureSellerLock, lockSeller } from '../../people/seller-standing/sellerStanding.ts';
import { SavedSearchModel, type SavedSearchRecord, searchesPerUser } from './model.ts';
import { readQuery } from './query.ts';

const longestName = 80;

interface Outcome {
  savedSearch: SavedSearchRecord;
  created: boolean;
}

/** A validated input; undefined members were omitted and are unchanged. */
interface Request extends Pick<SavedSearchRecord, 'name' | 'query' | 'fingerprint'> {
  alert: SavedSearchRecord['alert'] | undefined;
  lastSeenAt: Date | undefined;
}

/** Saves a search. An equal query is not saved twice; the existing search gets the new name, alert and time. */
export async function createSavedSearch(
  input: CreateSavedSearchInput,
  context: RequestContext,
): Promise<Outcome> {
  const request = await read(input, context);
  await ensureSellerLock(context, context.viewer.id);
  return store(context.attempt.newId('savedSearch'), request, context);
}

/**
 * Reads the input.
 *
 * @throws AppError `validation_failed`
 */
async function read(
  { name, alert, lastSeenAt, query }: CreateSavedSearchInput,
  context: RequestContext,
): Promise<Request> {
  const problems = [...checkLine(name.trim(), '#/name', { maximum: longestName })];
  if (problems.length > 0) throw invalidFields(problems);
  const now = context.platform.now();
  return {
    name: name.trim(),
    ...(await readQuery(query, context)),
    alert: alert ?? undefined,
    // A client clock that is ahead must not hide later publications.
    lastSeenAt: lastSeenAt ? new Date(Math.min(lastSeenAt.getTime(), now)) : undefined,
  };
}

type AlertMembers = Pick<SavedSearchRecord, 'alert' | 'alertDueAt'> & { toldUntil?: Date };

/** Sets an alert. An unchanged alert keeps its time; otherwise each request would postpone a daily mail. */
function changeAlert(
  alert: SavedSearchRecord['alert'] | undefined,
  before: SavedSearchRecord['alert'],
  now: Date,
): AlertMembers | undefined {
  if (alert === undefined || alert === before) return undefined;
  if (alert === 'daily') return { alert, alertDueAt: new Date(now.getTime() + dayMs) };
  // An instant alert reports publications after this change.
  return { alert, alertDueAt: null, ...(alert === 'instant' && { toldUntil: now }) };
}

/**
 * Stores a search. Writing the owner's record serializes the requests of one account, so that concurrent ones respect
 * the limit.
 */
function store(_id: string, request: Request, context: RequestContext): Promise<Outcome> {
  const { viewer, platform, installationId } = context;
  const { name, query, fingerprint, alert, lastSeenAt } = request;
  const searches = scoped(SavedSearchModel, installationId);
  const own = { userId: viewer.id };
  return inTransaction(async (session) => {
    await lockSeller(context, viewer.id, session);
    const now = new Date(platform.now());
    const before = await searches.findOne({ ...own, fingerprint }, { session });
    const changed =
      before &&
      (await searches.findOneAndUpdate(
        { _id: before._id },
        {
          $set: { name, ...changeAlert(alert, before.alert, now) },
          // The stored time never decreases, regardless of the order in which devices report.
          ...(lastSeenAt ? { $max: { lastSeenAt } } : {}),
        },
        { session },
      ));
    // An earlier run with the same idempotency key may have created it and crashed before it responded.
    if (changed) return { savedSearch: changed, created: changed._id === _id };
    if ((await searches.count(own, { limit: searchesPerUser, session })) >= searchesPerUser)
      throw new AppError(
        'saved_search_limit',
        `At most ${searchesPerUser} searches can be saved. Delete one first.`,
      );
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
        ...changeAlert(alert, 'none', now),
        lastSeenAt: lastSeenAt ?? now,
        createdAt: now,
      },
      { session },
    );
    return { savedSearch, created: true };
  });
}
