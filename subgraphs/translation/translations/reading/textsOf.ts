import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { loadMarketplaceObject } from '../../objects/marketplaceObject.ts';
import type { Texts } from '../../objects/translatableFields.ts';
import { isEditorOf, refuseEditorial } from '../../records/editorial.ts';
import { loadStored } from '../../records/loaders.ts';
import { isLive, type TranslationParent, type View } from '../../records/TranslationParent.ts';

/**
 * Returns the texts of a created translation: the published ones while it is live, or those in progress. Null for
 * linked objects, and for readers if it is not live.
 *
 * @throws AppError if a caller who is not an editor requests the editorial texts
 */
export async function textsOf(
  context: RequestContext,
  parent: TranslationParent,
  view: View | 'requested',
): Promise<Texts | null> {
  if (view === 'requested' && parent.omitFields) return null;
  const wantsWork = view === 'editorial' || (view === 'requested' && parent.view === 'editorial');
  if (wantsWork && (await isEditorOf(context, parent))) return workTexts(context, parent);
  if (view === 'editorial') throw refuseEditorial(context);
  return publicTexts(context, parent);
}

async function workTexts(context: RequestContext, { record }: TranslationParent): Promise<Texts | null> {
  if (record?.origin !== 'created') return null;
  return record.fields ?? (await loadStored(context, record._id))?.fields ?? null;
}

async function publicTexts(context: RequestContext, parent: TranslationParent): Promise<Texts | null> {
  const { record, marketplaceObject, accessSource } = parent;
  if (record?.origin !== 'created') return null;
  if (!isLive(parent, await loadMarketplaceObject(context, marketplaceObject, accessSource))) return null;
  if (record.publishedFields !== undefined) return record.publishedFields;
  return (await loadStored(context, record._id))?.publishedFields ?? null;
}
