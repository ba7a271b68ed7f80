import DataLoader from 'dataloader';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { recordLoader } from '../../../platform/context/recordLoader.ts';
import { loadOwned } from '../../../platform/federation/askOwner.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { decodeCursor, encodeCursor } from '../../../platform/pagination/cursor.ts';
import { type Connection, pageSize } from '../../../platform/pagination/findPage.ts';
import { toPageInfo } from '../../../platform/pagination/PageInfo.ts';
import { findTextVersion } from '../../pages/object/findText.ts';
import { ownedTypeOf } from '../../pages/object/ObjectRef.ts';
import { SeoPageModel } from '../../pages/site-index/model.ts';
import { itemIdOf, jobOfItem } from '../job/itemIds.ts';
import { type ReadAuditJob, readJobs } from '../job/jobs.ts';
import { type AuditItem, type AuditItemState, type AuditJobHead, batchLimit } from '../job/model.ts';
import { isFree } from '../job/reduce.ts';

/** An item with its id, and its position in the job, from 1. */
export type AuditItemView = AuditItem & { id: string; jobId: string; position: number };

/** Parameters of a page of a job's items. */
export interface ItemPage {
  states?: readonly AuditItemState[] | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}

/** States of items that were dealt with. */
export const dealtWith: readonly AuditItemState[] = ['succeeded', 'failed', 'skipped'];

/** Returns the items of a job in order. */
export function viewsOf({ _id, items }: ReadAuditJob): AuditItemView[] {
  return items.map((item, index) => ({
    ...item,
    id: itemIdOf(_id, index + 1),
    jobId: _id,
    position: index + 1,
  }));
}

/** Returns the ids for the next batch; none for a job that has ended. */
export function nextItemIds(job: ReadAuditJob): string[] {
  if (!job.active) return [];
  return viewsOf(job)
    .filter((item) => isFree(item, job.readAt))
    .slice(0, batchLimit)
    .map(({ id }) => id);
}

/** Returns the ids for the next batch of a job that was read without its items. */
export async function findNextItemIds(
  context: RequestContext,
  { _id, active }: AuditJobHead,
): Promise<string[]> {
  const [job] = active ? await readJobs(context, { _id }) : [];
  return job ? nextItemIds(job) : [];
}

/**
 * Returns a page of a job's items in order.
 *
 * @throws AppError `malformed_request` for a page size below 1, `invalid_cursor`
 */
export async function findItems(
  context: RequestContext,
  { _id }: AuditJobHead,
  { states, first, after }: ItemPage,
): Promise<Connection<AuditItemView>> {
  const size = pageSize(first);
  const binding = [_id, states ?? null];
  const [start] = after ? decodeCursor(context, binding, after) : [0];
  const [job] = await readJobs(context, { _id });
  const rest = (job ? viewsOf(job) : []).filter(
    ({ position, state }) => position > Number(start) && (!states || states.includes(state)),
  );
  const nodes = rest.slice(0, size);
  const pageInfo = toPageInfo(nodes, {
    hasNextPage: rest.length > size,
    after,
    cursorOf: ({ position }) => encodeCursor(context, binding, [position]),
  });
  return { nodes, pageInfo };
}

/** Loads an item by id; null if there is none. */
export function findItem(context: RequestContext, id: string): Promise<AuditItemView | null> {
  return isId('auditItem', id) ? context.loader(itemById).load(id) : Promise.resolve(null);
}

function itemById(context: RequestContext): DataLoader<string, AuditItemView | null> {
  return new DataLoader(async (ids) => {
    const jobs = await readJobs(context, { $or: ids.map(jobOfItem) });
    const byId = new Map(jobs.flatMap(viewsOf).map((item) => [item.id, item]));
    return ids.map((id) => byId.get(id) ?? null);
  });
}

/**
 * Returns whether an object has changed since its analysis; batched. Its own text is compared without a query. Another
 * text is queried, and the result is unknown if there is no response.
 */
export async function isStale(context: RequestContext, item: AuditItemView): Promise<boolean> {
  const { objectId, contentVersionAnalysed } = item;
  if (typeof contentVersionAnalysed !== 'number') return false;
  if (typeof item.textId === 'string') return isOtherText(context, item);
  const page = await context.loader(pageVersions).load(objectId);
  return page !== null && page.contentVersion > contentVersionAnalysed;
}

async function isOtherText(
  context: RequestContext,
  { objectType, objectId, locale, textId, contentVersionAnalysed }: AuditItemView,
): Promise<boolean> {
  try {
    const object = { type: objectType, id: objectId };
    const owned = await loadOwned(context, ownedTypeOf[objectType], objectId);
    const text = await findTextVersion(context, { object, owned }, locale);
    return text?.textId !== textId || text?.contentVersion !== contentVersionAnalysed;
  } catch (error) {
    context.platform.log.warn({ err: error, requestId: context.requestId }, 'audited text not asked about');
    return false;
  }
}

const pageVersions = recordLoader(SeoPageModel, { projection: { contentVersion: 1 } });
