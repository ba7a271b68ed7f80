/** A word of a sentence as the grammar rules see it. */
export interface ClauseWord {
  form: string;
  /** Whether punctuation other than a hyphen or apostrophe precedes it. */
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

/** Words and phrases that connect a sentence to the previous one. All forms are lower case. */
export interface Transitions {
  words: ReadonlySet<string>;
  phrases: readonly (readonly string[])[];
  /** Both halves in this order, e.g. `either … or`. */
  pairs: readonly (readonly [string, string])[];
  /** Phrases without spaces, compared with adjacent words joined, regardless of the segmenter. */
  joined?: ReadonlySet<string>;
}

/** A published formula of the Flesch family over averages of a text; the caller clamps it to 0–100. */
interface ReadingEase {
  /** Author, year and coefficients, so that the figure can be checked. */
  source: string;
  score: (wordsPerSentence: number, syllablesPerWord: number) => number;
  countSyllables: (word: string) => number;
}

/**
 * Data of a language. Null means unknown: checks that need it do not apply, and nothing is guessed. A new language is
 * one file of this shape and its line in `findLanguage.ts`.
 */
export interface LanguageData {
  code: string;
  /** Closed-class words without a topic: articles, pronouns, prepositions, conjunctions, auxiliaries. */
  functionWords: ReadonlySet<string> | null;
  transitions: Transitions | null;
  findPassives: FindPassives | null;
  readingEase: ReadingEase | null;
  /** Link texts that do not describe their target, words joined by one space. */
  genericAnchors: ReadonlySet<string> | null;
  /** First words that repeat naturally (articles, demonstratives, numerals); the second word decides then. */
  lightStarters: ReadonlySet<string>;
  /** Lower case, without the final full stop; a sentence does not end after them. */
  abbreviations: ReadonlySet<string>;
  /** Abbreviations that also occur at the end of a sentence, which a function word with a capital then follows. */
  finalAbbreviations?: ReadonlySet<string>;
  /** Words before which `3.` is an ordinal and not the end of a sentence; empty where ordinals have no stop. */
  ordinalFollowers: ReadonlySet<string>;
}

/** Returns a set of the words in lists, separated by white space. */
export function wordSet(...lists: string[]): Set<string> {
  return new Set(lists.join(' ').split(/\s+/).filter(Boolean));
}

/** Returns phrases separated by `|`, each as a sequence of word forms. */
export function phraseList(list: string): string[][] {
  return list
    .split('|')
    .map((phrase) => phrase.trim().split(/\s+/))
    .filter((phrase) => phrase[0] !== '');
}

/** Returns a set of phrases separated by `|`. */
export function phraseSet(list: string): Set<string> {
  return new Set(phraseList(list).map((phrase) => phrase.join(' ')));
}
