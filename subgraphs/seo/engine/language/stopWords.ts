import { createRequire } from 'node:module';

/** Language code -> words that search engines used to leave out (stopwords-iso, MIT). */
const stopWords = createRequire(import.meta.url)('stopwords-iso') as Record<string, string[]>;

const onlyLetters = /^[\p{L}\p{M}'’·-]+$/u;
/** Lists up to this size were curated by hand; longer ones were harvested from corpora and hold content words. */
const curatedListSize = 300;
const longestCurated = 8;
const longestHarvested = 5;
/** Chinese and Korean lists cannot be matched as words: no spaces, or particles written onto the noun. */
const unusable = new Set(['zh', 'ko']);

/**
 * Function words derived from a stop-word list. A stop list also holds frequent nouns and verbs ("computer",
 * "home"), which would make a keyphrase lose its topic; closed-class words are short, so long entries are left
 * out, more strictly where the list was harvested. Null for languages without a usable list.
 */
export function findStopWords(language: string): ReadonlySet<string> | null {
  const list =
    Object.hasOwn(stopWords, language) && !unusable.has(language) ? stopWords[language] : undefined;
  if (!list) return null;
  const longest = list.length <= curatedListSize ? longestCurated : longestHarvested;
  return new Set(
    list
      .map((word) => word.normalize('NFKC').toLowerCase().replaceAll('’', "'"))
      .filter((word) => onlyLetters.test(word) && [...word].length <= longest),
  );
}

export function stopWordLanguages(): string[] {
  return Object.keys(stopWords).filter((language) => !unusable.has(language));
}
