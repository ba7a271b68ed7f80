import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { type LanguageSettings, loadLanguageSettings } from '../../languages/language/languageSettings.ts';
import { nameLanguage } from '../../languages/resolution/nameLanguage.ts';
import { ownLanguageOf } from '../../objects/marketplaceObject.ts';
import { changeMemberships, ofObjects } from '../../records/memberships/changeMemberships.ts';
import type { Decision, Memberships } from '../../records/memberships/memberships.ts';
import { firstRecord } from '../../records/memberships/newRecord.ts';
import type { StoredTranslation } from '../../records/model.ts';
import { assertReaches } from '../../records/policy.ts';
import { findObject, knownLanguageOf, type TranslatableObject } from '../../records/TranslatableObject.ts';
import { fromRecord, type TranslationParent, toTranslationParent } from '../../records/TranslationParent.ts';
import type { AssignObjectLanguageInput } from '../../translation.generated.ts';
import { languageMismatch, languageNotConfigured } from './resolveLanguage.ts';

const pointer = '#/language';

/** Sets the language of an object whose owner does not state it. */
export async function assignObjectLanguage(
  { object: { type, id }, language }: AssignObjectLanguageInput,
  context: RequestContext,
): Promise<{ changed: boolean; translation: TranslationParent }> {
  const settings = await loadLanguageSettings(context);
  const object = await findObject(context, { type, id });
  assertReaches(context, 'translations:manage', object, 'object_not_found');
  const code = nameLanguage(settings, language)?.code;
  if (code === undefined) throw languageNotConfigured(language, pointer);
  assertOpen(settings, object, code);
  if (knownLanguageOf(settings, object) === code)
    return { changed: false, translation: toTranslationParent(settings, object, 'editorial') };
  const { key } = object;
  const { records } = await changeMemberships(context, {
    records: ofObjects(key),
    queue: [key],
    defaultCode: settings.default.code,
    decide: (state) => decideLanguage(state, object, code, () => firstRecord(context, object, code)),
  });
  const record = records.get(key);
  if (!record) throw new Error('The language of an object was not stored.');
  return { changed: true, translation: fromRecord(record) };
}

/**
 * Checks that the language is not set.
 *
 * @throws AppError `language_mismatch` if another language was stated before
 */
function assertOpen(settings: LanguageSettings, { record, owned }: TranslatableObject, code: string): void {
  const fixed = record !== null && (record.origin === 'created' || record.groupId !== null);
  const said = fixed ? record.language : ownLanguageOf(settings, owned);
  const saysForeignOne = !fixed && said === null && (owned.content?.languageTag ?? null) !== null;
  if (saysForeignOne || (said !== null && said !== code)) throw languageMismatch(pointer);
}

function decideLanguage(
  state: Memberships,
  { key }: TranslatableObject,
  language: string,
  first: () => StoredTranslation,
): Decision | null {
  const record = state.records.get(key);
  if (!record) return { placements: [{ record: first(), isNew: true, groupId: null }] };
  // It was linked meanwhile, in the language that it has in the group.
  if (record.groupId !== null && record.language !== language) throw languageMismatch(pointer);
  return record.language === language ? null : { placements: [{ record, groupId: null, language }] };
}
