import { newStemmer } from 'snowball-stemmers';
import { toTextLanguage } from '../toTextLanguage.ts';
import { stopWords } from './stopWords.ts';

/** Longer than any word. */
const longestWord = 64;
/** Words of a language whose stems are kept at hand; when there are more, all are forgotten. */
const mostKnown = 50_000;
const wordPattern = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;

/** The stem of a word in lower case; null for what carries no meaning of its own. */
type ToStem = (word: string) => string | null;

const languages = new Map<string, ToStem>();

/**
 * The stems of the words of a text, each of them once: in the language of the text, without case and accents, without
 * words that mean nothing. A text in a language without a stemmer is compared word by word.
 *
 * @param languageTag BCP 47
 */
export function toStems(text: string, languageTag: string): Set<string> {
  const toStem = stemmerOf(toTextLanguage(languageTag));
  const stems = new Set<string>();
  for (const word of text.normalize('NFKC').toLowerCase().match(wordPattern) ?? []) {
    const stem = word.length <= longestWord ? toStem(word) : null;
    if (stem !== null) stems.add(stem);
  }
  return stems;
}

function stemmerOf(algorithm: string): ToStem {
  let toStem = languages.get(algorithm);
  if (!toStem) {
    toStem = remembering(createStemmer(algorithm));
    languages.set(algorithm, toStem);
  }
  return toStem;
}

function createStemmer(algorithm: string): ToStem {
  if (algorithm === 'none') return withoutAccents;
  const stemmer = newStemmer(algorithm);
  const meaningless = stopWords[algorithm];
  return (word) => (meaningless?.has(word) ? null : withoutAccents(stemmer.stem(toSpelling(word))));
}

/** Russian is written with and without the letter ё, and its stemmer knows the word without. */
function toSpelling(word: string): string {
  return word.replaceAll('ё', 'е');
}

/** Texts repeat few words very often. */
function remembering(toStem: ToStem): ToStem {
  const known = new Map<string, string | null>();
  return (word) => {
    const found = known.get(word);
    if (found !== undefined) return found;
    if (known.size >= mostKnown) known.clear();
    const stem = toStem(word);
    // A part of a text keeps all of the text in memory; a copy does not.
    known.set(copyOf(word), stem === null ? null : copyOf(stem));
    return stem;
  };
}

function copyOf(word: string): string {
  return Buffer.from(word, 'utf16le').toString('utf16le');
}

function withoutAccents(word: string): string {
  return word.normalize('NFKD').replaceAll(/\p{M}+/gu, '');
}
