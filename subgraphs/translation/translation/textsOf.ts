import { andThen } from '../../platform/context/andThen.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { askSubject } from '../translatable/LocatedObject.ts';
import type { Texts } from '../translatable/translatableFields.ts';
import { isEditorOf } from './editorial.ts';
import { loadStored } from './loaders.ts';
import { refuseEditorial } from './policy.ts';
import { isLive, type TranslationParent, type View } from './TranslationParent.ts';

type SomeTexts = Texts | null | Promise<Texts | null>;

/**
 * The texts of a created translation: what readers get while it is live, or what is being worked on. Null for linked
 * objects, and for readers of what is not live.
 *
 * @throws AppError when the editorial texts are asked for by somebody who is no editor
 */
export function textsOf(
  context: RequestContext,
  parent: TranslationParent,
  view: View | null | undefined,
): SomeTexts {
  const wantsWork = view === 'editorial' || (view == null && parent.view === 'editorial');
  if (!wantsWork) return publicTexts(context, parent);
  return andThen(isEditorOf(context, parent), (isEditor) => {
    if (isEditor) return workTexts(context, parent);
    if (view === 'editorial') throw refuseEditorial(context);
    return publicTexts(context, parent);
  });
}

function workTexts(context: RequestContext, { record, omitFields }: TranslationParent): SomeTexts {
  if (record?.origin !== 'created' || omitFields) return null;
  return record.fields ?? loadStored(context, record._id).then((stored) => stored?.fields ?? null);
}

function publicTexts(context: RequestContext, parent: TranslationParent): SomeTexts {
  const { record, omitFields, subject, witness } = parent;
  if (record?.origin !== 'created' || omitFields) return null;
  return andThen(askSubject(context, subject, witness), (owned) => {
    if (!isLive(parent, owned)) return null;
    if (record.publishedFields !== undefined) return record.publishedFields;
    return loadStored(context, record._id).then((stored) => stored?.publishedFields ?? null);
  });
}
