import type { Block } from '../html/TextBuilder.ts';
import type { LanguageData } from '../language/LanguageData.ts';
import type { Word } from './readWords.ts';

export interface Sentence {
  /** Offsets in the text, without surrounding whitespace. */
  start: number;
  end: number;
  /** Index in the document's blocks. */
  block: number;
  /** Half-open range of word indices. */
  firstWord: number;
  endWord: number;
}

interface Span {
  start: number;
  end: number;
}

const segmenters = new Map<string, Intl.Segmenter>();
const mostSegmenters = 100;
/** Maximum length of an abbreviation with inner stops ("dott.ssa", "z.b"). */
const longestAbbreviation = 10;
/** Abbreviations that do not end a sentence before a number: "No. 5", "S. 12", "núm. 3". */
const numberedAbbreviations = new Set(
  'no nos nr fig figs art abs vol p pp ch sec num núm n pág s t п стр рис'.split(' '),
);
const tokenCharacter = /[\p{L}\p{M}\p{N}.]/u;
const digits = /^\p{Nd}{1,4}$/u;
const startsWithDigit = /^\p{Nd}/u;
const firstWordPattern = /^[\p{L}\p{M}]+/u;

function segmenterFor(language: string): Intl.Segmenter {
  const cached = segmenters.get(language);
  if (cached) return cached;
  // An unknown tag would select the locale of the machine, and the result would depend on it.
  const known = Intl.Segmenter.supportedLocalesOf(language).length > 0;
  const segmenter = new Intl.Segmenter(known ? language : 'en', { granularity: 'sentence' });
  if (segmenters.size < mostSegmenters) segmenters.set(language, segmenter);
  return segmenter;
}

/** Returns the token directly before a full stop at the end of a segment, without the stop; empty if there is none. */
function tokenBeforeStop(text: string, end: number): string {
  let stop = end;
  while (stop > 0 && text[stop - 1] === ' ') stop -= 1;
  if (text[stop - 1] !== '.') return '';
  let start = stop - 1;
  const earliest = Math.max(0, stop - 1 - longestAbbreviation);
  while (start > earliest && tokenCharacter.test(text[start - 1] ?? '')) start -= 1;
  return text.slice(start, stop - 1);
}

/** Returns whether the segment ends with an abbreviation, an initial or an ordinal, so that the sentence continues. */
function continues(text: string, end: number, data: LanguageData): boolean {
  const token = tokenBeforeStop(text, end);
  if (token === '') return false;
  const following = text.slice(end, end + 24).trimStart();
  const form = token.toLowerCase();
  if (digits.test(token)) {
    const next = firstWordPattern.exec(following)?.[0].toLowerCase() ?? '';
    return data.ordinalFollowers.has(next);
  }
  if (numberedAbbreviations.has(form)) return startsWithDigit.test(following);
  // A single letter is an initial, except "I", which is usually the pronoun.
  if ([...token].length === 1) return token !== 'I' && !startsWithDigit.test(token);
  return data.abbreviations.has(form);
}

function trim(text: string, span: Span): Span {
  let { start, end } = span;
  while (start < end && /\s/.test(text[start] ?? '')) start += 1;
  while (end > start && /\s/.test(text[end - 1] ?? '')) end -= 1;
  return { start, end };
}

/** Splits the text by UAX 29 and rejoins what its rules split at abbreviations. Block separators always split. */
function readSpans(text: string, data: LanguageData, languageTag: string): Span[] {
  const spans: Span[] = [];
  let open: Span | null = null;
  for (const { segment, index } of segmenterFor(languageTag).segment(text)) {
    const end = index + segment.length;
    if (open) open.end = end;
    else open = { start: index, end };
    const last = segment.charCodeAt(segment.length - 1);
    const separated = last === 0x2028 || last === 0x2029;
    if (separated || !continues(text, end, data)) {
      spans.push(trim(text, open));
      open = null;
    }
  }
  if (open) spans.push(trim(text, open));
  return spans;
}

/**
 * Returns the sentences of a text, each inside one block. A piece without a word (an ellipsis, a row of dashes) is not
 * a sentence. `words` are the words of the same text in order. Linear in the text.
 */
export function readSentences(
  text: string,
  blocks: readonly Block[],
  words: readonly Word[],
  data: LanguageData,
  languageTag: string,
): Sentence[] {
  const sentences: Sentence[] = [];
  let word = 0;
  let block = 0;
  for (const span of readSpans(text, data, languageTag)) {
    const firstWord = word;
    while (word < words.length && (words[word]?.start ?? 0) < span.end) word += 1;
    if (word === firstWord) continue;
    while (block + 1 < blocks.length && (blocks[block]?.end ?? 0) <= span.start) block += 1;
    sentences.push({ ...span, block, firstWord, endWord: word });
  }
  return sentences;
}
