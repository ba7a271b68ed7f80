import DataLoader from 'dataloader';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { headIdOf } from '../../platform/events/objectHeads.ts';
import { loadOwned } from '../../platform/federation/askOwner.ts';
import { isId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { type Connection, findPage } from '../../platform/pagination/findPage.ts';
import { findTextVersion } from '../object/findText.ts';
import { SeoHeadModel } from '../object/heads.ts';
import { ownedTypeOf } from '../object/ObjectRef.ts';
import { itemsOf } from './jobs.ts';
import type { AuditItemState, StoredAuditItem, StoredAuditJob } from './model.ts';

/** Which page of a job's items. */
export interface ItemPage {
  states?: readonly AuditItemState[] | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}

/** States of items that were dealt with. */
export const dealtWith: readonly AuditItemState[] = ['succeeded', 'failed', 'skipped'];

/** Items of a job in their order. */
export function findItems(
  context: RequestContext,
  { _id }: StoredAuditJob,
  { states, first, after }: ItemPage,
): Promise<Connection<StoredAuditItem>> {
  return findPage({
    context,
    collection: itemsOf(context),
    filter: { jobId: _id, ...(states && { state: { $in: [...states] } }) },
    sort: [{ key: 'seq', direction: 1 }],
    first,
    after,
  });
}

/** An item by id; batched, null when there is none. */
export function findItem(context: RequestContext, id: string): Promise<StoredAuditItem | null> {
  return isId('auditItem', id) ? context.loader(itemById).load(id) : Promise.resolve(null);
}

function itemById(context: RequestContext): DataLoader<string, StoredAuditItem | null> {
  return new DataLoader(async (ids) => {
    const found = await itemsOf(context).find({ _id: { $in: [...ids] } });
    const byId = new Map(found.map((item) => [item._id, item]));
    return ids.map((id) => byId.get(id) ?? null);
  });
}

/**
 * Whether an object is known to have changed since it was analysed; batched. Its own text costs no question; what became of
 * another one is asked, and not known where nobody answers.
 */
export async function isStale(context: RequestContext, item: StoredAuditItem): Promise<boolean> {
  const { objectType, objectId, contentVersionAnalysed } = item;
  if (contentVersionAnalysed === null) return false;
  if (typeof item.textId === 'string') return isOtherText(context, item);
  const version = await context.loader(versionByHead).load(headIdOf(objectType, objectId));
  return version !== null && version > contentVersionAnalysed;
}

async function isOtherText(
  context: RequestContext,
  { objectType, objectId, locale, textId, contentVersionAnalysed }: StoredAuditItem,
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

function versionByHead({ installationId }: RequestContext): DataLoader<string, number | null> {
  return new DataLoader(async (ids) => {
    const heads = await scoped(SeoHeadModel, installationId).find(
      { _id: { $in: [...ids] } },
      { projection: { contentVersion: 1 } },
    );
    const byId = new Map(heads.map(({ _id, contentVersion }) => [_id, contentVersion]));
    return ids.map((id) => byId.get(id) ?? null);
  });
}
