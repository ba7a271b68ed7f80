import type { Block } from '../html/TextBuilder.ts';
import type { LanguageData } from '../language/LanguageData.ts';
import { continuesSentence } from './continuesSentence.ts';
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
/** Marks of footnotes after a sentence: `[32]`, `[note 3]`, `³²`. */
const footnoteMarks =
  /([.!?\u2026\u3002\uff01\uff1f][)"'”’»]*)((?:\[[^[\]\u2028\u2029]{1,30}\]|[\u00b2\u00b3\u00b9\u2070\u2074-\u2079*\u2020\u2021])+)/gu;
/** A closing bracket for the segmenter that no text contains; it keeps a footnote mark with its sentence. */
const markPlaceholder = '\u2771';
/** A full stop before a number. The segmenter ends a sentence there only if a capital follows later. */
const stopBeforeNumber =
  /(?<!\.)\.[)"'”’»\u2771]*[ \u00a0\u202f]+(?=[\p{Sc}\p{Ps}\p{Pi}"'#+~≈]{0,3}\p{Nd})/gu;

function segmenterFor(language: string): Intl.Segmenter {
  const cached = segmenters.get(language);
  if (cached) return cached;
  // An unknown tag would select the locale of the machine, and the result would depend on it.
  const known = Intl.Segmenter.supportedLocalesOf(language).length > 0;
  const segmenter = new Intl.Segmenter(known ? language : 'en', { granularity: 'sentence' });
  if (segmenters.size < mostSegmenters) segmenters.set(language, segmenter);
  return segmenter;
}

function trim(text: string, span: Span): Span {
  let { start, end } = span;
  while (start < end && /\s/.test(text[start] ?? '')) start += 1;
  while (end > start && /\s/.test(text[end - 1] ?? '')) end -= 1;
  return { start, end };
}

/** Returns the ends of the parts of a segment: before each number that follows a full stop, and its own end. */
function readEnds(segment: string, index: number): number[] {
  const ends: number[] = [];
  for (const match of segment.matchAll(stopBeforeNumber)) ends.push(index + match.index + match[0].length);
  ends.push(index + segment.length);
  return ends;
}

/**
 * Splits the text by UAX 29 and before numbers, and rejoins what was split at abbreviations. Block separators always
 * split.
 */
function readSpans(original: string, data: LanguageData, languageTag: string): Span[] {
  const text = original.replace(
    footnoteMarks,
    (_, stop: string, marks: string) => stop + markPlaceholder.repeat(marks.length),
  );
  const spans: Span[] = [];
  let start = 0;
  for (const { segment, index } of segmenterFor(languageTag).segment(text)) {
    const last = segment.charCodeAt(segment.length - 1);
    const isSeparated = last === 0x2028 || last === 0x2029;
    for (const end of readEnds(segment, index)) {
      const isOpen = !(isSeparated && end === index + segment.length) && continuesSentence(text, end, data);
      if (isOpen) continue;
      spans.push(trim(text, { start, end }));
      start = end;
    }
  }
  if (start < text.length) spans.push(trim(text, { start, end: text.length }));
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
