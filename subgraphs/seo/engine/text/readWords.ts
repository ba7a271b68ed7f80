import { toWordForm } from './toWordForm.ts';

/** A word of a text. Offsets are UTF-16 units of that text. */
export interface Word {
  start: number;
  end: number;
  /** Comparison form, see `toWordForm`. */
  form: string;
}

/** Languages written without spaces between words; only these pay for a dictionary segmenter. */
const unspacedLanguages = new Set(['ja', 'zh', 'th', 'km', 'lo', 'my']);
const segmenters = new Map<string, Intl.Segmenter>();

const wordRun = /[\p{L}\p{N}][\p{L}\p{M}\p{N}\u00ad\u200c\u200d]*/gu;
const digit = /\p{Nd}/u;
const letter = /\p{L}/u;
/** Apostrophes, and the middle dot of Catalan (`col·lecció`). */
const innerMarks = new Set([0x27, 0x2018, 0x2019, 0x02bc, 0xff07, 0xb7]);
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

function readSpacedWords(text: string, language: string): Word[] {
  const words: Word[] = [];
  wordRun.lastIndex = 0;
  let open: { start: number; end: number } | null = null;
  const close = (): void => {
    if (open) words.push({ ...open, form: toWordForm(text.slice(open.start, open.end), language) });
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
    if (isWordLike) {
      words.push({ start: index, end: index + segment.length, form: toWordForm(segment, language) });
    }
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
