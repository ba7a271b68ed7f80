import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
let lists: Record<string, string[]> | null = null;

/** Returns stop words by language code (stopwords-iso, MIT). They are read on first use. */
function stopWords(): Record<string, string[]> {
  lists ??= require('stopwords-iso') as Record<string, string[]>;
  return lists;
}

const onlyLetters = /^[\p{L}\p{M}'’·-]+$/u;
/** Lists up to this size were curated manually; longer ones were extracted from corpora and contain content words. */
const curatedListSize = 300;
const longestCurated = 8;
const longestHarvested = 5;
/** Matched against ICU's dictionary words, or with particles written onto the noun, these lists mislead. */
const unusable = new Set(['zh', 'ko', 'th']);

const plain = /^[a-z']+$/;

function toForm(word: string): string {
  return plain.test(word) ? word : word.normalize('NFKC').toLowerCase().replaceAll('’', "'");
}

/**
 * Returns the whole list in comparison form. For distinguishing languages, frequent nouns are as suitable as other
 * words.
 */
export function allStopWords(language: string): string[] {
  const list =
    Object.hasOwn(stopWords(), language) && !unusable.has(language) ? stopWords()[language] : undefined;
  return (list ?? []).map(toForm).filter((word) => onlyLetters.test(word));
}

/**
 * Returns function words derived from a stop-word list. The list also contains frequent nouns and verbs ("computer",
 * "home"), which would remove the topic from a keyphrase. Closed-class words are short, so long entries are omitted,
 * more strictly for extracted lists. Null for languages without a usable list.
 */
export function findStopWords(language: string): ReadonlySet<string> | null {
  const list = allStopWords(language);
  if (list.length === 0) return null;
  const longest = list.length <= curatedListSize ? longestCurated : longestHarvested;
  return new Set(list.filter((word) => [...word].length <= longest));
}

export function stopWordLanguages(): string[] {
  return Object.keys(stopWords()).filter((language) => !unusable.has(language));
}
