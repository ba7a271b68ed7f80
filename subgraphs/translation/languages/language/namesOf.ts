import { LRUCache } from 'lru-cache';
import type { LanguageEntry } from './model.ts';

/** Names of a language: in itself, in English, and in the reader's language. */
export interface LanguageNames {
  readonly native: string;
  readonly english: string;
  readonly display: string;
}

/** Names of languages in the reader's language, if requested. */
type NameTable = LRUCache<string, { readonly name: string | null }>;

/** Readers choose the tag, so the number of tables is bounded; null where CLDR does not know the reader's language. */
const tables = new LRUCache<string, { readonly names: NameTable | null }>({
  max: 200,
  memoMethod: (reader) => ({ names: openTable(reader) }),
});

/**
 * Returns names from CLDR, unless the configuration overrides them. A language without its own name in CLDR has its
 * English one.
 *
 * @param reader canonical tag of the language of `display`
 */
export function namesOf(language: LanguageEntry, reader: string): LanguageNames {
  const english = language.englishName ?? nameIn('en', language.bcp47) ?? language.code;
  return {
    native: language.nativeName ?? nameIn(language.bcp47, language.bcp47) ?? english,
    english,
    display: nameIn(reader, language.bcp47) ?? english,
  };
}

/** Returns a name; null if CLDR does not have it, or does not know the reader's language. */
function nameIn(reader: string, tag: string): string | null {
  return tables.memo(reader).names?.memo(tag).name ?? null;
}

/**
 * Caches names. A CLDR lookup takes about 10 µs, which was nearly half of the duration of a response with a dozen
 * languages.
 */
function openTable(reader: string): NameTable | null {
  if (Intl.DisplayNames.supportedLocalesOf([reader]).length === 0) return null;
  const table = new Intl.DisplayNames([reader], { type: 'language', fallback: 'none' });
  return new LRUCache({
    max: 500,
    // Names exist for language, script, region and variants; private parts would throw.
    memoMethod: (tag) => ({ name: table.of(new Intl.Locale(tag).baseName) ?? null }),
  });
}
