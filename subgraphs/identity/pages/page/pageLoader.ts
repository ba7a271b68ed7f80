import DataLoader from 'dataloader';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { PageModel, type PageRecord } from './model.ts';

/** A page without its text, which only those read who ask for it. */
export const withoutText = { html: 0 } as const;

/** Pages without their texts by id, batched per request; null for an id of another installation. */
export function pageLoader({ installationId }: RequestContext): DataLoader<string, PageRecord | null> {
  return new DataLoader(async (ids) => {
    const known = ids.filter((id) => isId('page', id));
    const pages = scoped(PageModel, installationId);
    const records =
      known.length > 0 ? await pages.find({ _id: { $in: known } }, { projection: withoutText }) : [];
    const byId = new Map(records.map((record) => [record._id, record]));
    return ids.map((id) => byId.get(id) ?? null);
  });
}

/** Texts by id of the page, batched per request. */
export function pageTextLoader({ installationId }: RequestContext): DataLoader<string, string> {
  return new DataLoader(async (ids) => {
    const found = await scoped(PageModel, installationId).find(
      { _id: { $in: [...ids] } },
      { projection: { html: 1 } },
    );
    const byId = new Map(found.map(({ _id, html }) => [_id, html]));
    return ids.map((id) => byId.get(id) ?? '');
  });
}
