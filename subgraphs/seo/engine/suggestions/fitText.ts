import { isFunctionWord } from '../keyphrase/parsePhrase.ts';
import type { LanguageData } from '../language/LanguageData.ts';
import { findPhraseWords } from '../language/phraseWords.ts';
import { measureTitle } from '../text/measureTitle.ts';

/** Matches trailing characters to remove. Words are never cut, and no joining character remains at the end. */
const dangling = /[\s\p{P}\p{S}]+$/u;
const closing = /[.!?…。！？)\]"”»]$/u;
const punctuated = /[,;:.!?–—|)]$/u;
const notLetters = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
const nameStart = /^[("“«„]*[\p{Lu}\p{Lt}\p{N}]/u;
/** A cut before punctuation or a function word may leave this share of what fits, because it reads as a whole. */
const leastShare = 0.5;

/** Returns a text with an upper-case first letter, if the script has one. */
export function capitalise(text: string): string {
  const [first = '', ...rest] = text;
  return first.toUpperCase() + rest.join('');
}

/**
 * Returns the title, or a prefix of it that fits a width. A prefix ends before punctuation or a function word if
 * possible, and never with a function word or inside a name.
 *
 * @param pixels width in search results
 */
export function fitTitle(title: string, pixels: number, language: LanguageData): string {
  return longestBeginning(title, language, (text) => measureTitle(text) <= pixels);
}

/** Returns the text, or a prefix as of `fitTitle` within a number of characters, which ends with an ellipsis. */
export function fitCharacters(text: string, characters: number, language: LanguageData): string {
  if ([...text].length <= characters) return text;
  const cut = longestBeginning(text, language, (part) => [...part].length < characters);
  return cut === '' ? '' : `${cut}…`;
}

function longestBeginning(text: string, language: LanguageData, fits: (part: string) => boolean): string {
  const collapsed = text.replace(/\s+/gu, ' ').trim();
  if (fits(collapsed)) return collapsed;
  const words = collapsed.split(' ');
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(words.slice(0, middle).join(' '))) low = middle;
    else high = middle - 1;
  }
  const part = words.slice(0, placeOfCut(words, low, language)).join(' ');
  return closing.test(part) ? part : part.replace(dangling, '');
}

/** Returns the number of words to keep of those that fit. */
function placeOfCut(words: readonly string[], fitting: number, language: LanguageData): number {
  const isFunction = (word: string | undefined): boolean =>
    word !== undefined && isFunctionWord(word.replace(notLetters, '').toLowerCase(), language);
  const isSymbol = (word: string | undefined): boolean =>
    word !== undefined && word.replace(notLetters, '') === '';
  const places = Array.from({ length: fitting }, (_, index) => fitting - index).filter(
    (count) => !isFunction(words[count - 1]),
  );
  const { closeJoiners } = findPhraseWords(language.code);
  const isClose = (word = ''): boolean => [...closeJoiners].some((joiner) => startsWithWord(word, joiner));
  const isBoundary = (count: number): boolean =>
    punctuated.test(words[count - 1] ?? '') ||
    (isFunction(words[count]) && !isClose(words[count])) ||
    isSymbol(words[count]);
  const isInName = (count: number): boolean =>
    nameStart.test(words[count - 1] ?? '') && nameStart.test(words[count] ?? '');
  return (
    places.find((count) => count >= leastShare * fitting && isBoundary(count)) ??
    places.find((count) => !isInName(count)) ??
    places[0] ??
    fitting
  );
}

/** Returns whether a word is this one, or begins with it and an apostrophe. */
function startsWithWord(word: string, start: string): boolean {
  const lowered = word.toLowerCase().replaceAll('’', "'");
  return start.endsWith("'") ? lowered.startsWith(start) : lowered === start;
}
