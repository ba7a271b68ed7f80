import { LRUCache } from 'lru-cache';
import { newStemmer } from 'snowball-stemmers';
import { stopWords } from './stopWords.ts';
import { toTextLanguage } from './toTextLanguage.ts';

/** Maximum length of a word in characters. */
const longestWord = 64;
/** Cached words of each language; texts of one batch share nearly all of their words. */
const rememberedWords = 10_000;
const wordPattern = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;

/** Returns the stem of a word of `toWords`, null for a stop word. */
export type ToStem = (word: string) => string | null;

const stemmers = new Map<string, ToStem>();

/**
 * Returns the distinct stems of the words of a text, in its language, without case, accents and stop words. Texts in a
 * language without a stemmer are compared word by word.
 *
 * @param languageTag BCP 47 tag
 */
export function toStems(text: string, languageTag: string): Set<string> {
  const toStem = stemmerOf(languageTag);
  return new Set(toWords(text).flatMap((word) => toStem(word) ?? []));
}

/** Returns the words of a text in lower case, with repetitions. */
export function toWords(text: string): readonly string[] {
  return text.normalize('NFKC').toLowerCase().match(wordPattern) ?? [];
}

/** Returns the stemmer of a language. Languages with the same stemming share a function. */
export function stemmerOf(languageTag: string): ToStem {
  const algorithm = toTextLanguage(languageTag);
  let toStem = stemmers.get(algorithm);
  if (!toStem) {
    toStem = createStemmer(algorithm);
    stemmers.set(algorithm, toStem);
  }
  return toStem;
}

function createStemmer(algorithm: string): ToStem {
  const stemmer = algorithm === 'none' ? null : newStemmer(algorithm);
  const meaningless = stopWords[algorithm];
  const remembered = new LRUCache<string, string>({ max: rememberedWords });
  return (word) => {
    if (word.length > longestWord || meaningless?.has(word)) return null;
    let stem = remembered.get(word);
    if (stem === undefined) {
      stem = withoutAccents(stemmer ? stemmer.stem(toSpelling(word)) : word);
      remembered.set(word, stem);
    }
    return stem;
  };
}

/** Normalizes the letter ё. Russian is written with and without it, and the stemmer expects words without it. */
function toSpelling(word: string): string {
  return word.replaceAll('ё', 'е');
}

function withoutAccents(word: string): string {
  return word.normalize('NFKD').replaceAll(/\p{M}+/gu, '');
}
