import type { LanguageData } from '../language/LanguageData.ts';
import { stem, stripElision } from '../language/stemming/stem.ts';
import { readWords, type Word } from '../text/readWords.ts';

/** A keyphrase or synonym ready for matching. */
export interface Phrase {
  /** The phrase without quotes and surrounding space. */
  text: string;
  /** Written in double quotes: the words must follow each other in exactly these forms. */
  exact: boolean;
  /** Forms of all its words. */
  forms: readonly string[];
  /** Distinct stems of the content words; of all words if there are no content words. */
  stems: readonly string[];
  /** Number of content words; of all words if there are no content words. A word with hyphens counts once. */
  contentWords: number;
  onlyFunctionWords: boolean;
}

const quoted = /^["\u201c\u201d\u201e\u201f\u00ab\u00bb](.*)["\u201c\u201d\u201e\u201f\u00ab\u00bb]$/su;

export function isFunctionWord(form: string, language: LanguageData): boolean {
  const functionWords = language.functionWords;
  if (!functionWords) return false;
  return functionWords.has(form) || functionWords.has(stripElision(form, language.code));
}

/** Counts the words of which at least one part is chosen. */
function countWhole(words: readonly Word[], chosen: ReadonlySet<Word>): number {
  let count = 0;
  let isCounted = false;
  for (const word of words) {
    if (!word.isPart) isCounted = false;
    if (isCounted || !chosen.has(word)) continue;
    count += 1;
    isCounted = true;
  }
  return count;
}

/** Parses a phrase; null if it contains no word. */
export function parsePhrase(raw: string, language: LanguageData, languageTag: string): Phrase | null {
  const trimmed = raw.trim();
  const inner = quoted.exec(trimmed)?.[1];
  const text = (inner ?? trimmed).trim();
  const words = readWords(text, languageTag);
  if (words.length === 0) return null;
  const content = words.filter(({ form }) => !isFunctionWord(form, language));
  const chosen = content.length > 0 ? content : words;
  return {
    text,
    exact: inner !== undefined,
    forms: words.map(({ form }) => form),
    stems: [...new Set(chosen.map(({ form }) => stem(form, language.code)))],
    contentWords: countWhole(words, new Set(chosen)),
    onlyFunctionWords: content.length === 0 && language.functionWords !== null,
  };
}
