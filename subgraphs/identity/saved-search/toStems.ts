import { createRequire } from 'node:module';
import { newStemmer, type Stemmer } from 'snowball-stemmers';
import { toTextLanguage } from '../catalog/toTextLanguage.ts';

const require = createRequire(import.meta.url);
/** Words that carry no meaning of their own, by primary language (stopwords-iso, MIT). */
const stopWords = require('stopwords-iso') as Readonly<Record<string, readonly string[]>>;
/** The lists hold nouns and verbs as well; what is short is an article, a pronoun or the like. */
const longestStopWord = 4;
/** Longer than any word. */
const longestWord = 64;

interface Language {
  readonly stopWords: ReadonlySet<string>;
  readonly stemmer: Stemmer | null;
}

const languages = new Map<string, Language>();

/**
 * The stems of the words of a text, as the text index of the catalogue compares them: in the language of the text,
 * without case and accents, without words that mean nothing. A text without a stemmer is compared word by word.
 */
export function toStems(text: string, languageTag: string): Set<string> {
  const { stopWords, stemmer } = languageOf(languageTag);
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const meant = new Set(words.filter((word) => word.length <= longestWord && !stopWords.has(word)));
  return new Set([...meant].map((word) => withoutAccents(stemmer ? stemmer.stem(word) : word)));
}

function languageOf(languageTag: string): Language {
  const algorithm = toTextLanguage(languageTag);
  const primary = algorithm === 'none' ? '' : (languageTag.split('-')[0] ?? '').toLowerCase();
  let language = languages.get(primary);
  if (!language) {
    const list = Object.hasOwn(stopWords, primary) ? (stopWords[primary] ?? []) : [];
    language = {
      stopWords: new Set(list.filter((word) => word.length <= longestStopWord)),
      stemmer: primary === '' ? null : newStemmer(algorithm),
    };
    languages.set(primary, language);
  }
  return language;
}

function withoutAccents(word: string): string {
  return word.normalize('NFKD').replaceAll(/\p{M}+/gu, '');
}
