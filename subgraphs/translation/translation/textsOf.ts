import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { askSubject } from '../translatable/LocatedObject.ts';
import type { Texts } from '../translatable/translatableFields.ts';
import { isEditorOf } from './editorial.ts';
import { loadStored } from './loaders.ts';
import { refuseEditorial } from './policy.ts';
import { isLive, type TranslationParent } from './TranslationParent.ts';

/**
 * The texts of a created translation: what readers get while it is live, or what is being worked on. Null for linked
 * objects, and for readers of what is not live.
 *
 * @throws AppError when the editorial texts are asked for by somebody who is no editor
 */
export async function textsOf(
  context: RequestContext,
  parent: TranslationParent,
  view: 'PUBLIC' | 'EDITORIAL' | null | undefined,
): Promise<Texts | null> {
  const { record } = parent;
  if (view === 'EDITORIAL' && !(await isEditorOf(context, parent))) throw refuseEditorial(context);
  if (record?.origin !== 'created' || parent.omitFields) return null;
  const wantsWork = view === 'EDITORIAL' || (view == null && parent.view === 'editorial');
  if (wantsWork && (await isEditorOf(context, parent)))
    return record.fields ?? (await loadStored(context, record._id))?.fields ?? null;
  if (!isLive(parent, await askSubject(context, parent.subject, parent.witness))) return null;
  if (record.publishedFields !== undefined) return record.publishedFields;
  return (await loadStored(context, record._id))?.publishedFields ?? null;
}
