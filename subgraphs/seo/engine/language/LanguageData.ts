/** A word of a sentence as the grammar rules see it. */
export interface ClauseWord {
  form: string;
  /** Punctuation other than a hyphen or apostrophe stands before it. */
  afterPunctuation: boolean;
  /** Starts with a capital and is not the first word. */
  capitalised: boolean;
}

/** Inclusive word indices of one finding inside a sentence. */
export interface WordRange {
  first: number;
  last: number;
}

export type FindPassives = (sentence: readonly ClauseWord[]) => WordRange[];

/** Words and phrases that tie a sentence to what was said before. All forms are lower case. */
export interface Transitions {
  words: ReadonlySet<string>;
  phrases: readonly (readonly string[])[];
  /** Both halves in this order, e.g. `either … or`. */
  pairs: readonly (readonly [string, string])[];
  /** Without spaces: compared with neighbouring words joined, wherever the segmenter cuts. */
  joined?: ReadonlySet<string>;
}

/** A published formula of the Flesch family over averages of a text, clamped to 0–100 by the caller. */
interface ReadingEase {
  /** Author, year and coefficients, so that the figure can be checked. */
  source: string;
  score: (wordsPerSentence: number, syllablesPerWord: number) => number;
  countSyllables: (word: string) => number;
}

/**
 * Data of a language. Null means not known: checks that need it do not apply, and nothing is guessed. A new language is
 * one file of this shape and its line in `findLanguage.ts`.
 */
export interface LanguageData {
  code: string;
  /** Closed-class words that carry no topic: articles, pronouns, prepositions, conjunctions, auxiliaries. */
  functionWords: ReadonlySet<string> | null;
  transitions: Transitions | null;
  findPassives: FindPassives | null;
  readingEase: ReadingEase | null;
  /** Link texts that say nothing about their target, words joined by one space. */
  genericAnchors: ReadonlySet<string> | null;
  /** First words that repeat naturally (articles, demonstratives, numerals); the second word decides then. */
  lightStarters: ReadonlySet<string>;
  /** Lower case, without the final full stop; a sentence does not end after them. */
  abbreviations: ReadonlySet<string>;
  /** Words before which `3.` is an ordinal and not the end of a sentence; empty where ordinals have no stop. */
  ordinalFollowers: ReadonlySet<string>;
}

/** A readable way to write a list: words separated by white space. */
export function wordSet(...lists: string[]): Set<string> {
  return new Set(lists.join(' ').split(/\s+/).filter(Boolean));
}

/** Phrases separated by `|`, each a sequence of word forms. */
export function phraseList(list: string): string[][] {
  return list
    .split('|')
    .map((phrase) => phrase.trim().split(/\s+/))
    .filter((phrase) => phrase[0] !== '');
}

/** The same for sets of whole phrases. */
export function phraseSet(list: string): Set<string> {
  return new Set(phraseList(list).map((phrase) => phrase.join(' ')));
}
