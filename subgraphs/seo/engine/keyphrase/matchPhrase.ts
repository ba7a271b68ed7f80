import type { IndexedText } from '../text/IndexedText.ts';
import type { Phrase } from './parsePhrase.ts';

/** Matches of a phrase in a sentence. */
export interface SentenceMatch {
  sentence: number;
  /** Word indices that belong to the phrase, ascending. */
  words: readonly number[];
  /** Number of distinct words of the phrase that occur. */
  distinct: number;
  /** Number of complete occurrences of the phrase: the count of its rarest word. */
  count: number;
}

/** Returns the first word indices of the places where exactly these forms are consecutive in one sentence. */
export function findSequences(text: IndexedText, forms: readonly string[]): number[] {
  const [first] = forms;
  if (first === undefined) return [];
  return text.wordsWithForm(first).filter((start) => {
    const last = start + forms.length - 1;
    if (last >= text.words.length || text.sentenceOf(start) !== text.sentenceOf(last)) return false;
    return forms.every((form, offset) => text.words[start + offset]?.form === form);
  });
}

function matchExactly(text: IndexedText, phrase: Phrase): SentenceMatch[] {
  const bySentence = new Map<number, { words: number[]; count: number }>();
  let free = 0;
  for (const start of findSequences(text, phrase.forms)) {
    if (start < free) continue;
    free = start + phrase.forms.length;
    const sentence = text.sentenceOf(start);
    const found = bySentence.get(sentence) ?? { words: [], count: 0 };
    for (let word = start; word < free; word += 1) found.words.push(word);
    found.count += 1;
    bySentence.set(sentence, found);
  }
  return [...bySentence].map(([sentence, found]) => ({ sentence, ...found, distinct: phrase.stems.length }));
}

function matchByStem(text: IndexedText, phrase: Phrase): SentenceMatch[] {
  const bySentence = new Map<number, { words: number[]; counts: number[] }>();
  phrase.stems.forEach((stem, slot) => {
    for (const word of text.wordsWithStem(stem)) {
      const sentence = text.sentenceOf(word);
      let found = bySentence.get(sentence);
      if (!found) {
        found = { words: [], counts: phrase.stems.map(() => 0) };
        bySentence.set(sentence, found);
      }
      found.words.push(word);
      found.counts[slot] = (found.counts[slot] ?? 0) + 1;
    }
  });
  return [...bySentence]
    .sort(([a], [b]) => a - b)
    .map(([sentence, { words, counts }]) => ({
      sentence,
      words: words.sort((a, b) => a - b),
      distinct: counts.filter((count) => count > 0).length,
      count: Math.min(...counts),
    }));
}

/**
 * Returns the sentences with at least one word of the phrase, in order. A phrase counts as often in a sentence as its
 * rarest content word, regardless of word order and words in between. An exact phrase counts only as an unbroken
 * sequence of its forms.
 */
export function matchPhrase(text: IndexedText, phrase: Phrase): SentenceMatch[] {
  return phrase.exact ? matchExactly(text, phrase) : matchByStem(text, phrase);
}

/** Returns the number of complete occurrences over all sentences. */
export function countUses(matches: readonly SentenceMatch[]): number {
  return matches.reduce((sum, match) => sum + match.count, 0);
}

/** Returns whether all content words, or the exact sequence, occur in the text. */
export function containsPhrase(text: IndexedText, phrase: Phrase): boolean {
  if (phrase.exact) return findSequences(text, phrase.forms).length > 0;
  return phrase.stems.every((stem) => text.wordsWithStem(stem).length > 0);
}
