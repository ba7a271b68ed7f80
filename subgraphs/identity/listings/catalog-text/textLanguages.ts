import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { readableKins } from '../../../platform/language/readableLanguages.ts';
import { toKin } from '../../../platform/language/toKin.ts';
import { CatalogLanguagesModel, type CatalogLanguagesRecord } from './model.ts';

/** Whether readers may get a text of this language, by its BCP 47 tag. */
export type IsShown = (languageTag: string) => boolean;

/**
 * Returns the languages of texts that a reader with `locale` may see: those of the same language and script,
 * other ones that the reader can read, the configured fallbacks, and the default language. Includes only languages that
 * are open to readers.
 *
 * @param locale BCP 47 tag
 */
export async function textLanguages(locale: string, { installationId }: RequestContext): Promise<IsShown> {
  const kin = toKin(locale);
  const kins = new Set([kin, ...readableKins(kin)]);
  const settings = await scoped(CatalogLanguagesModel, installationId).findOne({ _id: installationId });
  if (!settings) return (tag) => kins.has(toKin(tag));
  const tags = new Set<string>();
  const { languages, defaultCode } = settings;
  const codes = new Set(
    languages.filter(({ languageTag }) => kins.has(toKin(languageTag))).map(({ code }) => code),
  );
  // Iterating over a set includes elements added during the iteration.
  for (const code of codes.add(defaultCode)) {
    const language = findLanguage(settings, code);
    if (language?.active) tags.add(language.languageTag);
    if (code !== defaultCode) for (const next of language?.fallbacks ?? []) codes.add(next);
  }
  return (tag) => tags.has(tag);
}

function findLanguage({ languages }: CatalogLanguagesRecord, wanted: string) {
  return languages.find(({ code }) => code === wanted);
}
