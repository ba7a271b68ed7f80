import { toWordForm } from './toWordForm.ts';

/** A word of a text. Offsets are UTF-16 units of that text. */
export interface Word {
  start: number;
  end: number;
  /** Comparison form, see `toWordForm`. */
  form: string;
  /**
   * Whether a hyphen or a stop joins it to the word before (`e-mail`, `U.S.`). Such parts are found separately and
   * counted as one word.
   */
  isPart: boolean;
}

/** Languages written without spaces between words; only these pay for a dictionary segmenter. */
const unspacedLanguages = new Set(['ja', 'zh', 'th', 'km', 'lo', 'my']);
const segmenters = new Map<string, Intl.Segmenter>();

const wordRun = /[\p{L}\p{N}][\p{L}\p{M}\p{N}\u00ad\u200c\u200d]*/gu;
const digit = /\p{Nd}/u;
const letter = /\p{L}/u;
/** Apostrophes, and the middle dot of Catalan (`col·lecció`). */
const innerMarks = new Set([0x27, 0x2018, 0x2019, 0x02bc, 0xff07, 0xb7]);
/** Hyphens, and the Hebrew maqaf. */
const hyphens = new Set([0x2d, 0x2010, 0x2011, 0x05be]);
const lowerCaseLetter = /\p{Ll}/u;
const fullStop = 0x2e;
const comma = 0x2c;

function isUnspaced(language: string): boolean {
  return unspacedLanguages.has(language);
}

/**
 * Returns whether the characters around a gap are one word: `l'auto`, `don't` and `3.5` are one; `end.Next` and
 * `e-bike` are two.
 */
function joins(text: string, gapAt: number): boolean {
  const gap = text.charCodeAt(gapAt);
  const before = text[gapAt - 1] ?? '';
  const after = text[gapAt + 1] ?? '';
  if (innerMarks.has(gap)) return letter.test(before) && letter.test(after);
  return (gap === fullStop || gap === comma) && digit.test(before) && digit.test(after);
}

/**
 * Returns whether two neighbouring words count as one: `e-mail`, `U.S.`, `example.com`. `end.Next` lacks a space and
 * counts as two.
 */
function countsAsPart(text: string, previous: { start: number; end: number }, start: number): boolean {
  if (previous.end + 1 !== start) return false;
  const gap = text.charCodeAt(previous.end);
  if (hyphens.has(gap)) return true;
  if (gap !== fullStop || !letter.test(text[start] ?? '')) return false;
  return previous.end - previous.start === 1 || lowerCaseLetter.test(text[start] ?? '');
}

/** Appends a word and determines whether it counts as part of the one before. */
function addWord(words: Word[], text: string, range: { start: number; end: number }, language: string): void {
  const previous = words.at(-1);
  const isPart = previous !== undefined && countsAsPart(text, previous, range.start);
  words.push({ ...range, form: toWordForm(text.slice(range.start, range.end), language), isPart });
}

function readSpacedWords(text: string, language: string): Word[] {
  const words: Word[] = [];
  wordRun.lastIndex = 0;
  let open: { start: number; end: number } | null = null;
  const close = (): void => {
    if (open) addWord(words, text, open, language);
  };
  for (let match = wordRun.exec(text); match !== null; match = wordRun.exec(text)) {
    const start = match.index;
    const end = start + match[0].length;
    if (open && open.end + 1 === start && joins(text, open.end)) {
      open.end = end;
    } else {
      close();
      open = { start, end };
    }
  }
  close();
  return words;
}

function readSegmentedWords(text: string, language: string): Word[] {
  let segmenter = segmenters.get(language);
  if (!segmenter) {
    segmenter = new Intl.Segmenter(language, { granularity: 'word' });
    segmenters.set(language, segmenter);
  }
  const words: Word[] = [];
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    if (isWordLike) addWord(words, text, { start: index, end: index + segment.length }, language);
  }
  return words;
}

/**
 * Returns the words of a plain text in order. Languages with spaces are split by Unicode classes, the six others by
 * ICU's dictionaries. Linear in the text.
 */
export function readWords(text: string, language: string): Word[] {
  return isUnspaced(language) ? readSegmentedWords(text, language) : readSpacedWords(text, language);
}
