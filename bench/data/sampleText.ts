import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** Words of 57 languages, used as a vocabulary. */
const frequentWords = require('stopwords-iso') as Record<string, string[]>;

const vocabularySize = 2500;
const functionWordShare = 0.4;
const wordsPerSentence = 16;
const sentencesPerParagraph = 5;
const paragraphsPerSection = 3;
const unspaced = new Set(['ja', 'zh', 'th']);

/** Languages with sample texts. */
export const sampleLanguages: readonly string[] = Object.keys(frequentWords).sort();

/**
 * Returns a generator of numbers from 0 to 1 that are the same in every run (Lehmer's generator with Park and Miller's
 * numbers).
 */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Returns frequent words, and rarer ones composed of them, as many as a stemmer meets in a real text. */
function vocabularyOf(language: string, next: () => number): () => string {
  const frequent = (frequentWords[language] ?? []).filter((word) => /^\p{L}[\p{L}\p{M}]*$/u.test(word));
  const pick = (words: readonly string[]): string => words[Math.floor(next() * words.length)] ?? '';
  const rare = Array.from({ length: vocabularySize }, () => pick(frequent) + pick(frequent));
  // A few words make up most of a text, as in every language (Zipf).
  return () =>
    next() < functionWordShare ? pick(frequent) : (rare[Math.floor(next() ** 3 * rare.length)] ?? '');
}

/**
 * Returns an article in HTML with a number of words: headings, paragraphs, links, images. The text has no meaning, but
 * its words repeat, inflect and differ as often as in a real one. It is the same in every run.
 */
export function sampleText(language: string, words: number): { html: string; keyphrase: string } {
  const next = numbers(7 + language.charCodeAt(0) * 131 + language.charCodeAt(1));
  const word = vocabularyOf(language, next);
  const [gap, stop, comma] = unspaced.has(language) ? ['', '。', '、'] : [' ', '. ', ', '];
  const keyphrase = `${word()}${gap || ' '}${word()}`;
  const parts: string[] = [];
  let written = 0;
  for (let paragraph = 0; written < words; paragraph += 1) {
    if (paragraph % paragraphsPerSection === 0)
      parts.push(`<h2>${word()}${gap}${word()}${gap}${word()}</h2>`);
    const sentences: string[] = [];
    for (let count = 0; count < sentencesPerParagraph && written < words; count += 1) {
      const length = Math.min(wordsPerSentence - 6 + Math.floor(next() * 12), words - written);
      const own = Array.from({ length }, word);
      if (own.length > 6) own[5] += comma.trim();
      if (next() < 0.1) own[0] = keyphrase;
      if (next() < 0.1) own[1] = `<a href="/p/${written}">${own[1]}</a>`;
      if (next() < 0.1) own[2] = `<strong>${own[2]}</strong>`;
      const text = own.join(gap);
      sentences.push(text.charAt(0).toUpperCase() + text.slice(1));
      written += length;
    }
    if (paragraph % 4 === 1) parts.push(`<img src="/i/${paragraph}.jpg" alt="${word()}">`);
    parts.push(`<p>${sentences.join(stop)}${stop.trim()}</p>`);
  }
  return { html: parts.join('\n'), keyphrase };
}
