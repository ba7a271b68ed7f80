import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
let lists: Record<string, string[]> | null = null;

/** Language code -> words that search engines used to leave out (stopwords-iso, MIT). Read when first asked for. */
function stopWords(): Record<string, string[]> {
  lists ??= require('stopwords-iso') as Record<string, string[]>;
  return lists;
}

const onlyLetters = /^[\p{L}\p{M}'’·-]+$/u;
/** Lists up to this size were curated manually; longer ones were harvested from corpora and hold content words. */
const curatedListSize = 300;
const longestCurated = 8;
const longestHarvested = 5;
/** Matched against ICU's dictionary words, or with particles written onto the noun, these lists mislead. */
const unusable = new Set(['zh', 'ko', 'th']);

const plain = /^[a-z']+$/;

function toForm(word: string): string {
  return plain.test(word) ? word : word.normalize('NFKC').toLowerCase().replaceAll('’', "'");
}

/** The whole list in comparison form: for distinguishing languages, frequent nouns are as good as any word. */
export function allStopWords(language: string): string[] {
  const list =
    Object.hasOwn(stopWords(), language) && !unusable.has(language) ? stopWords()[language] : undefined;
  return (list ?? []).map(toForm).filter((word) => onlyLetters.test(word));
}

/**
 * Function words derived from a stop-word list. A stop list also holds frequent nouns and verbs ("computer",
 * "home"), which would make a keyphrase lose its topic; closed-class words are short, so long entries are left
 * out, more strictly where the list was harvested. Null for languages without a usable list.
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
