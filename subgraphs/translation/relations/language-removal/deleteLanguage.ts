import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { reads } from '../../../platform/installation/scoped.ts';
import { changeLanguageSettings, entryOf } from '../../languages/language/changeLanguageSettings.ts';
import { readLanguageSettings, type StoredSettings } from '../../languages/language/languageSettings.ts';
import { type LanguagesWrite, toLanguagesWrite } from '../../languages/language/writeLanguages.ts';
import { TranslationModel } from '../../records/model.ts';
import type { DeleteLanguageInput } from '../../translation.generated.ts';
import { unlinkLanguage } from './unlinkLanguage.ts';

/**
 * Removes a language from the configuration. Its texts are never deleted. With `unlinkRelations` they leave their
 * groups first; without it they prevent the removal.
 *
 * @throws AppError `not_found`, `language_is_default`, `language_in_use`, `precondition_failed`
 */
export async function deleteLanguage(
  { code, unlinkRelations, expectedVersion }: DeleteLanguageInput,
  context: RequestContext,
): Promise<LanguagesWrite> {
  const before = await readLanguageSettings(context);
  assertDispensable(before, code);
  if (unlinkRelations === true) await unlinkLanguage(context, code, before.defaultCode);
  const settings = await changeLanguageSettings(context, expectedVersion, async (present) => {
    assertDispensable(present, code);
    await assertUnused(context, code, unlinkRelations === true);
    return { languages: present.languages.filter((entry) => entry.code !== code) };
  });
  return toLanguagesWrite(settings);
}

function assertDispensable(settings: StoredSettings, code: string): void {
  entryOf(settings, code);
  if (settings.defaultCode === code)
    throw new AppError('language_is_default', 'The default language cannot be deleted.');
  const fallbackOf = settings.languages
    .filter(({ fallbacks }) => fallbacks.includes(code))
    .map((entry) => entry.code);
  if (fallbackOf.length > 0)
    throw new AppError(
      'language_in_use',
      'Other languages have this language as a fallback. Change their fallbacks first.',
      { fallbackOf },
    );
}

/** Checks that the language is unused: without consent, no texts may use it; with consent, no text in a group. */
async function assertUnused(context: RequestContext, code: string, mayRemain: boolean): Promise<void> {
  const translations = reads(TranslationModel, context.installationId);
  const inGroups = { language: code, groupId: { $ne: null } };
  const linked = await translations.count(inGroups);
  const records = mayRemain ? linked : await translations.count({ language: code });
  if (records === 0) return;
  throw new AppError('language_in_use', 'There are texts in this language. Delete them first.', {
    counts: { records, linked },
  });
}
