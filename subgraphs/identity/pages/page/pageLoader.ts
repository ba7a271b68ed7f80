import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { recordLoader } from '../../../platform/context/recordLoader.ts';
import { PageModel, type PageRecord } from './model.ts';

/** A page without its text, which only those read who ask for it. */
export const withoutText = { html: 0 } as const;

/** Pages without their texts by id, batched per request; null for an id of another installation. */
export const pageLoader = recordLoader(PageModel, { type: 'page', projection: withoutText });

/** Texts by id of the page, batched per request. */
const textLoader = recordLoader(PageModel, { projection: { html: 1 } });

/** Text of a page, batched per request. */
export async function loadText(context: RequestContext, { _id }: Pick<PageRecord, '_id'>): Promise<string> {
  return (await context.loader(textLoader).load(_id))?.html ?? '';
}
