import { authoredLanguages, languagesWith } from './language/findLanguage.ts';
import { allStopWords } from './language/stopWords.ts';

export interface DetectedLanguage {
  language: string;
  /** 0 to 1; above 0.9 only with a long sample and a clear distance to the next language. */
  confidence: number;
}

/** Enough for a verdict; longer texts cost no more. */
const sampleSize = 400;
const mostLetters = 400;
const fewestWords = 20;

/** Scripts that one living language, or one known here, is written in. */
const ownScripts: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Hangul}/u, 'ko'],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Thai}/u, 'th'],
  [/\p{Script=Khmer}/u, 'km'],
  [/\p{Script=Lao}/u, 'lo'],
  [/\p{Script=Myanmar}/u, 'my'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Armenian}/u, 'hy'],
  [/\p{Script=Georgian}/u, 'ka'],
  [/\p{Script=Tamil}/u, 'ta'],
  [/\p{Script=Gujarati}/u, 'gu'],
];

interface Vocabulary {
  languages: string[];
  /** Frequent word -> indices of the languages that have it. */
  byWord: Map<string, number[]>;
}

/** Vocabulary of all lists, built at the first detection. */
let vocabulary: Vocabulary | null = null;

function loadVocabulary(): Vocabulary {
  if (vocabulary) return vocabulary;
  const languages = languagesWith('functionWords');
  const byWord = new Map<string, number[]>();
  languages.forEach((language, index) => {
    const add = (word: string): void => {
      const known = byWord.get(word);
      if (!known) byWord.set(word, [index]);
      else if (known[known.length - 1] !== index) known.push(index);
    };
    for (const word of allStopWords(language)) add(word);
    authoredLanguages()
      .find(({ code }) => code === language)
      ?.functionWords?.forEach(add);
  });
  vocabulary = { languages, byWord };
  return vocabulary;
}

/** Letters of any other script; not the punctuation that all of them share, which separates the blocks of a text. */
const beyondLatinAndCyrillic = /[\u0370-\u03ff\u0530-\u1dff\u1f00-\u1fff\u2c00-\u{10ffff}]/u;
/** Letter -> the language of its script. */
const languageOfLetter = new Map<string, string | null>();
const isLetter = /\p{L}/u;

function scriptLanguageOf(letter: string): string | null {
  const known = languageOfLetter.get(letter);
  if (known !== undefined) return known;
  const found = ownScripts.find(([pattern]) => pattern.test(letter))?.[1] ?? null;
  if (languageOfLetter.size < 20_000) languageOfLetter.set(letter, found);
  return found;
}

/** Returns the language of the script to which most letters of the sample belong, if it identifies one. */
function detectByScript(sample: string): DetectedLanguage | null {
  if (!beyondLatinAndCyrillic.test(sample)) return null;
  let letters = 0;
  const counts = new Map<string, number>();
  for (const letter of sample) {
    if (letters === mostLetters) break;
    const language = scriptLanguageOf(letter);
    if (language === null && !isLetter.test(letter)) continue;
    letters += 1;
    if (language) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  if (letters < fewestWords) return null;
  const japanese = counts.get('ja') ?? 0;
  // Kana among ideographs indicates Japanese, because Chinese has none.
  if (japanese > letters * 0.05) counts.set('ja', japanese + (counts.get('zh') ?? 0));
  const [best] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  if (!best || best[1] < letters * 0.5) return null;
  return { language: best[0], confidence: round(Math.min(0.99, best[1] / letters)) };
}

/**
 * Compares how much of the sample each language's function words cover. A word of several languages counts less for
 * each. Confidence decreases with a short sample, a low coverage and a close second language.
 */
function detectByFunctionWords(forms: readonly string[]): DetectedLanguage | null {
  if (forms.length < fewestWords) return null;
  const { languages, byWord } = loadVocabulary();
  const coverage = new Float64Array(languages.length);
  for (const form of forms) {
    const having = byWord.get(form);
    if (!having) continue;
    const weight = 1 + 1 / having.length;
    for (const index of having) coverage[index] = (coverage[index] ?? 0) + weight;
  }
  const [best, second] = languages
    .map((language, index): [string, number] => [language, coverage[index] ?? 0])
    .filter(([, covered]) => covered > 0)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  if (!best) return null;
  const share = best[1] / forms.length;
  const margin = (best[1] - (second?.[1] ?? 0)) / best[1];
  const certainty = Math.min(1, share / 0.35) * Math.min(1, margin / 0.2) * Math.min(1, forms.length / 60);
  return share < 0.1 ? null : { language: best[0], confidence: round(Math.min(0.99, certainty)) };
}

/**
 * Letters that only Ukrainian has among the supported Cyrillic languages, because its word list is too short to
 * prevail.
 */
const ukrainianLetters = /[їєґ]/giu;
const cyrillicLetters = /\p{Script=Cyrillic}/gu;

function detectUkrainian(sample: string): DetectedLanguage | null {
  const own = sample.match(ukrainianLetters)?.length ?? 0;
  if (own === 0) return null;
  const all = sample.match(cyrillicLetters)?.length ?? 0;
  if (all < fewestWords * 4 || own / all < 0.005) return null;
  return { language: 'uk', confidence: round(Math.min(0.95, 0.6 + (20 * own) / all)) };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/**
 * Guesses the language of a text from its script, otherwise from its function words; null if the text is too short.
 * `readForms` returns the word forms of the text, split at spaces; a script of one language needs none.
 */
export function detectLanguage(text: string, readForms: () => readonly string[]): DetectedLanguage | null {
  const sample = text.slice(0, 4 * sampleSize);
  return (
    detectByScript(sample) ??
    detectUkrainian(sample) ??
    detectByFunctionWords(readForms().slice(0, sampleSize))
  );
}
