import type { AnalysisContext } from '../checks/AnalysisContext.ts';
import { isFunctionWord } from '../keyphrase/parsePhrase.ts';
import { stem } from '../language/stemming/stem.ts';
import type { Word } from '../text/readWords.ts';

/** A run of one to four content words that the page repeats. */
export interface FoundPhrase {
  readonly text: string;
  readonly stems: readonly string[];
  readonly weight: number;
  readonly count: number;
}

const mostWords = 4;
/** Factors by number of words. Two and three words name a topic best; one word is often too general. */
const lengthFactors = [1, 1.6, 1.8, 1.7];
const headingWeight = 2;
const introductionWeight = 1.5;
const titleWeight = 3;
const shortestWord = 3;
const hasLetter = /\p{L}/u;
const joins = /^[\s\u00ad-]*$/u;

interface Tally {
  stems: readonly string[];
  weight: number;
  count: number;
  first: number;
  surfaces: Map<string, number>;
}

/** A stretch of text and what a word in it weighs. */
interface Stretch {
  readonly text: string;
  readonly words: readonly Word[];
  readonly weight: number;
}

/**
 * Returns the phrases of a page by weight: occurrences by position (title 3, headings 2, introduction 1.5, else 1),
 * times a factor for the length. Equal weights are in text order. Linear in the words.
 *
 * @param from first character that counts; restricts a heading to its part of the page
 */
export function findPhrases(context: AnalysisContext, from = 0, to = Infinity): FoundPhrase[] {
  const tallies = new Map<string, Tally>();
  const isWhole = from === 0 && to === Infinity;
  for (const stretch of stretchesOf(context, from, to)) collect(context, stretch, tallies);
  const { title } = context;
  if (title && isWhole) {
    const { text, words } = title.indexed;
    collect(context, { text, words, weight: titleWeight }, tallies);
  }
  const repeated = [...tallies.values()].filter(
    ({ stems, weight, count }) => count > 1 || weight >= titleWeight || (stems.length > 1 && !isWhole),
  );
  return withoutParts(repeated.map(toPhrase).sort(compare));
}

function stretchesOf({ content, document }: AnalysisContext, from: number, to: number): Stretch[] {
  const introduction = document.blocks.find(({ kind }) => kind === 'paragraph');
  return content.sentences
    .filter(({ start, end }) => start >= from && end <= to)
    .map(({ block, firstWord, endWord }) => {
      const kind = document.blocks[block]?.kind;
      const isIntroduction = introduction !== undefined && document.blocks[block] === introduction;
      const weight = kind === 'heading' ? headingWeight : isIntroduction ? introductionWeight : 1;
      return { text: content.text, words: content.words.slice(firstWord, endWord), weight };
    });
}

/** Collects every run of content words that only spaces and hyphens separate. */
function collect(
  { language }: AnalysisContext,
  { text, words, weight }: Stretch,
  tallies: Map<string, Tally>,
): void {
  const stems = words.map((word) =>
    isFunctionWord(word.form, language) ? null : stem(word.form, language.code),
  );
  for (let start = 0; start < words.length; start += 1) {
    const run: string[] = [];
    for (let end = start; end < Math.min(words.length, start + mostWords); end += 1) {
      const word = words[end];
      const before = words[end - 1];
      const value = stems[end];
      if (!word || value === null || value === undefined) break;
      if (end > start && before && !joins.test(text.slice(before.end, word.start))) break;
      run.push(value);
      const first = words[start];
      if (first) add(tallies, run, { surface: text.slice(first.start, word.end), weight });
    }
  }
}

function add(
  tallies: Map<string, Tally>,
  run: readonly string[],
  { surface, weight }: { surface: string; weight: number },
): void {
  if (!hasLetter.test(surface) || (run.length === 1 && [...surface].length < shortestWord)) return;
  const key = run.join(' ');
  let tally = tallies.get(key);
  if (!tally) {
    tally = { stems: [...run], weight: 0, count: 0, first: tallies.size, surfaces: new Map() };
    tallies.set(key, tally);
  }
  tally.weight += weight;
  tally.count += 1;
  const text = surface.replace(/\s+/gu, ' ');
  tally.surfaces.set(text, (tally.surfaces.get(text) ?? 0) + 1);
}

function toPhrase({ stems, weight, count, first, surfaces }: Tally): FoundPhrase & { first: number } {
  let text = '';
  let most = 0;
  for (const [surface, times] of surfaces) {
    if (times <= most) continue;
    text = surface;
    most = times;
  }
  const factor = lengthFactors[stems.length - 1] ?? 1;
  return { text, stems, weight: Math.round(weight * factor * 100) / 100, count, first };
}

function compare(a: { weight: number; first: number }, b: { weight: number; first: number }): number {
  return b.weight - a.weight || a.first - b.first;
}

/** Removes parts of a better phrase, which are less specific; returns at most 50 phrases. */
function withoutParts(phrases: readonly FoundPhrase[]): FoundPhrase[] {
  const kept: FoundPhrase[] = [];
  for (const phrase of phrases) {
    if (kept.length === 50) break;
    const isPart = kept.some(
      ({ stems, count }) => phrase.count <= count && phrase.stems.every((value) => stems.includes(value)),
    );
    if (!isPart) kept.push(phrase);
  }
  return kept;
}
