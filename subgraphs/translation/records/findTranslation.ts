import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { loadLanguageSettings } from '../languages/language/languageSettings.ts';
import { nameLanguage } from '../languages/resolution/nameLanguage.ts';
import { isCreatedId } from '../objects/ObjectRef.ts';
import type { TranslatableType } from '../translation.generated.ts';
import { loadHead, loadMembers } from './loaders.ts';
import { findObject, objectOfRecord, type TranslatableObject } from './TranslatableObject.ts';

/** Selectors of one translation in routes. */
export interface TranslationSelector {
  readonly id?: string | null | undefined;
  readonly objectType?: TranslatableType | null | undefined;
  readonly objectId?: string | null | undefined;
  readonly language?: string | null | undefined;
}

/** Returns the object of a translation's id; null if there is none. */
export async function findTranslation(
  context: RequestContext,
  id: string,
): Promise<TranslatableObject | null> {
  const record = isCreatedId(id) ? await loadHead(context, id) : null;
  return record && objectOfRecord(context, record);
}

/**
 * Returns the selected translation: by id, or the member of an object's group in exactly this language.
 *
 * @throws AppError `malformed_request` for none or two selectors
 */
export async function selectTranslation(
  context: RequestContext,
  { id, objectType, objectId, language }: TranslationSelector,
): Promise<TranslatableObject | null> {
  const byObject = objectType != null && objectId != null && language != null;
  if (id != null ? objectType != null || objectId != null || language != null : !byObject) {
    throw new AppError(
      'malformed_request',
      'Identify a translation by "id" alone, or by "objectType", "objectId" and "language".',
    );
  }
  if (!byObject) return findTranslation(context, id ?? '');
  const object = await findObject(context, { type: objectType, id: objectId });
  const record = object?.record ?? null;
  const code = nameLanguage(await loadLanguageSettings(context), language)?.code;
  if (!object || !record || code === undefined) return null;
  if (record.language === code) return object;
  if (record.groupId === null) return null;
  const member = (await loadMembers(context, record.groupId)).find((one) => one.language === code);
  return member ? objectOfRecord(context, member) : null;
}
