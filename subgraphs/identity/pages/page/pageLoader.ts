import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { recordLoader } from '../../../platform/context/recordLoader.ts';
import { PageModel, type PageRecord } from './model.ts';

/** Excludes the text of a page, which is read only if it is selected. */
export const withoutText = { html: 0 } as const;

/** Pages without their texts by id, batched per request; null for an id of another installation. */
export const pageLoader = recordLoader(PageModel, { type: 'page', projection: withoutText });

/** Texts by page id, batched per request. */
const textLoader = recordLoader(PageModel, { projection: { html: 1 } });

/** Returns the text of a page, batched per request. */
export async function loadText(context: RequestContext, { _id }: Pick<PageRecord, '_id'>): Promise<string> {
  return (await context.loader(textLoader).load(_id))?.html ?? '';
}
