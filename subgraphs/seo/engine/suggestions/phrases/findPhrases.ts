import type { AnalysisContext } from '../../checks/AnalysisContext.ts';
import { PhraseReader, type Stretch, type Unit } from './PhraseReader.ts';

/** A noun phrase of one to five content words that the page repeats. */
export interface FoundPhrase {
  readonly text: string;
  readonly stems: readonly string[];
  readonly weight: number;
  readonly count: number;
}

const mostWords = 5;
const mostJoiners = 2;
/** Factors by number of words. Two to four words name a topic best; one word is often too general. */
const lengthFactors = [1, 1.8, 2, 1.9, 1.9];
const headingWeight = 2;
const introductionWeight = 1.5;
const titleWeight = 3;
/** A phrase of the title that the body repeats is the topic. */
const topicFactor = 1.5;
const shortestWord = 3;
/** A longer phrase replaces its part if it is at least this share of the part's occurrences. */
const leastShare = 0.4;
const mostPhrases = 50;
const hasLetter = /\p{L}/u;
const upperCase = /^\p{Lu}/u;
const lowerCase = /^\p{Ll}/u;

interface Tally {
  readonly stems: readonly string[];
  readonly words: number;
  weight: number;
  count: number;
  inTitle: number;
  readonly first: number;
  /** Spellings by their lower case. */
  readonly surfaces: Map<string, { text: string; times: number }>;
  /** Stems directly before and after it; an empty text where a phrase begins or ends. */
  readonly before: Set<string>;
  readonly after: Set<string>;
}

interface Candidate extends FoundPhrase {
  readonly first: number;
  readonly isInTitle: boolean;
}

/**
 * Returns the noun phrases of a page by weight: occurrences by position (title 3, headings 2, introduction 1.5, else
 * 1), times factors for the length and for being in title and body. Equal weights are in text order. Linear in the
 * words.
 *
 * @param from first character that counts; restricts a heading to its part of the page
 */
export function findPhrases(context: AnalysisContext, from = 0, to = Infinity): FoundPhrase[] {
  const isWhole = from === 0 && to === Infinity;
  const stretches = [...stretchesOf(context, from, to), ...(isWhole ? titleOf(context) : [])];
  const reader = new PhraseReader(context, stretches);
  const tallies = new Map<string, Tally>();
  for (const stretch of stretches) collect(stretch, reader.read(stretch), tallies);
  const found = [...tallies.values()].filter(
    (tally) => isFree(tally) && (tally.count > 1 || (tally.words > 1 && !isWhole)),
  );
  return withoutParts(found.map((tally) => toPhrase(tally, context.languageTag)).sort(compare));
}

function stretchesOf({ content, document }: AnalysisContext, from: number, to: number): Stretch[] {
  const introduction = document.blocks.find(({ kind }) => kind === 'paragraph');
  return content.sentences
    .filter(({ start, end }) => start >= from && end <= to)
    .map(({ block, firstWord, endWord }) => {
      const kind = document.blocks[block]?.kind;
      const isIntroduction = introduction !== undefined && document.blocks[block] === introduction;
      const weight = kind === 'heading' ? headingWeight : isIntroduction ? introductionWeight : 1;
      return { text: content.text, words: content.words.slice(firstWord, endWord), weight, isTitle: false };
    });
}

function titleOf({ title }: AnalysisContext): Stretch[] {
  if (!title) return [];
  const { text, words } = title.indexed;
  return [{ text, words, weight: titleWeight, isTitle: true }];
}

/** Collects every run of content words and joiners that begins and ends with a noun or an adjective. */
function collect(stretch: Stretch, units: readonly Unit[], tallies: Map<string, Tally>): void {
  for (let start = 0; start < units.length; start += 1) {
    const first = units[start];
    if (!first?.mayBegin) continue;
    let words = 0;
    let joiners = 0;
    for (let end = start; end < units.length; end += 1) {
      const unit = units[end];
      if (!unit || unit.role === 'boundary' || (end > start && unit.isSeparated)) break;
      joiners = unit.role === 'joiner' ? joiners + 1 : 0;
      words += unit.role === 'content' ? 1 : 0;
      if (joiners > mostJoiners || words > mostWords) break;
      if (unit.mayEnd) add(tallies, stretch, { units, start, end, words });
    }
  }
}

function add(
  tallies: Map<string, Tally>,
  { text, weight, isTitle }: Stretch,
  { units, start, end, words }: { units: readonly Unit[]; start: number; end: number; words: number },
): void {
  const run = units.slice(start, end + 1);
  const surface = text.slice(run[0]?.start, run.at(-1)?.end).replace(/\s+/gu, ' ');
  const stems = run.flatMap((unit) => unit.stems);
  if (!hasLetter.test(surface) || (words === 1 && [...surface].length < shortestWord)) return;
  const key = stems.join(' ');
  let tally = tallies.get(key);
  if (!tally) {
    tally = {
      stems,
      words,
      weight: 0,
      count: 0,
      inTitle: 0,
      first: tallies.size,
      surfaces: new Map(),
      before: new Set(),
      after: new Set(),
    };
    tallies.set(key, tally);
  }
  tally.weight += weight;
  tally.count += 1;
  if (isTitle) tally.inTitle += 1;
  addSurface(tally.surfaces, surface);
  tally.before.add(neighbour(units, start, -1));
  tally.after.add(neighbour(units, end, 1));
}

/**
 * Returns the stems of the content word before or after a phrase, also behind a joiner; empty at the border of a phrase
 * and beside a verb.
 *
 * @param step -1 to look before the unit at `edge`, 1 to look behind it
 */
function neighbour(units: readonly Unit[], edge: number, step: -1 | 1): string {
  for (let at = edge; ; at += step) {
    const unit = units[at + step];
    const right = step === 1 ? unit : units[at];
    if (!unit || unit.role === 'boundary' || right?.isSeparated !== false) return '';
    if (unit.role === 'content') return unit.mayBegin ? unit.stems.join(' ') : '';
  }
}

/** A phrase that always has the same word before or after it is part of a longer one. */
function isFree({ before, after }: Tally): boolean {
  const isOpen = (neighbours: ReadonlySet<string>): boolean => neighbours.has('') || neighbours.size > 1;
  return isOpen(before) && isOpen(after);
}

/** Counts a spelling. A capital at the start of a sentence is not part of a phrase that also occurs without it. */
function addSurface(surfaces: Tally['surfaces'], surface: string): void {
  const key = surface.toLowerCase();
  const known = surfaces.get(key);
  const isPlainer = known !== undefined && upperCase.test(known.text) && !upperCase.test(surface);
  const text = known && !isPlainer ? known.text : surface;
  surfaces.set(key, { text, times: (known?.times ?? 0) + 1 });
}

function toPhrase({ stems, weight, count, inTitle, first, surfaces }: Tally, languageTag: string): Candidate {
  const [{ text: frequent } = { text: '' }] = [...surfaces.values()].sort((a, b) => b.times - a.times);
  // Another inflection without a capital shows that the capital is that of a sentence.
  const isPlain = [...surfaces.values()].some(({ text }) => lowerCase.test(text));
  const text = isPlain ? frequent.charAt(0).toLocaleLowerCase(languageTag) + frequent.slice(1) : frequent;
  const isInTitle = inTitle > 0;
  const factor = (lengthFactors[stems.length - 1] ?? 1) * (isInTitle && count > inTitle ? topicFactor : 1);
  return { text, stems, weight: Math.round(weight * factor * 100) / 100, count, first, isInTitle };
}

function compare(a: Candidate, b: Candidate): number {
  return b.weight - a.weight || a.first - b.first;
}

/**
 * Removes single words that are mostly a part of a longer phrase or of one in the title, and phrases that are contained
 * in a better one; returns at most 50.
 */
function withoutParts(phrases: readonly Candidate[]): FoundPhrase[] {
  const examined = phrases.slice(0, 4 * mostPhrases);
  const kept: FoundPhrase[] = [];
  for (const phrase of examined) {
    if (kept.length === mostPhrases) break;
    const isWithin = ({ stems }: FoundPhrase): boolean =>
      phrase.stems.every((value) => stems.includes(value)) && stems.length > phrase.stems.length;
    const isGeneral = examined.some(
      (longer) =>
        longer.count > 1 &&
        (longer.isInTitle || longer.count >= leastShare * phrase.count) &&
        isWithin(longer),
    );
    const isPart = kept.some(
      ({ stems, count }) => phrase.count <= count && phrase.stems.every((value) => stems.includes(value)),
    );
    if (!isPart && !(isGeneral && phrase.stems.length === 1)) kept.push(phrase);
  }
  return kept;
}
