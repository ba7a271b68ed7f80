import { LRUCache } from 'lru-cache';
import type { LanguageEntry } from './model.ts';

/** Names of a language: in itself, in English, and in the reader's language. */
export interface LanguageNames {
  readonly native: string;
  readonly english: string;
  readonly display: string;
}

/** Readers choose the tag, so the number of name tables is bounded. */
const tables = new LRUCache<string, Intl.DisplayNames>({ max: 200 });

/**
 * Names by CLDR, unless the configuration overrides them. A language that has no name of its own in CLDR is shown
 * by its English one.
 *
 * @param reader canonical tag of the language that `display` is in
 */
export function namesOf(language: LanguageEntry, reader: string): LanguageNames {
  const english = language.englishName ?? nameIn('en', language.bcp47) ?? language.code;
  return {
    native: language.nativeName ?? nameIn(language.bcp47, language.bcp47) ?? english,
    english,
    display: nameIn(reader, language.bcp47) ?? english,
  };
}

/** Null where CLDR knows no name, or does not know the reader's language. */
function nameIn(reader: string, tag: string): string | null {
  if (Intl.DisplayNames.supportedLocalesOf([reader]).length === 0) return null;
  let table = tables.get(reader);
  if (!table) {
    table = new Intl.DisplayNames([reader], { type: 'language', fallback: 'none' });
    tables.set(reader, table);
  }
  // Names exist for language, script, region and variants; private parts would be refused.
  return table.of(new Intl.Locale(tag).baseName) ?? null;
}
