import type { Block } from '../html/TextBuilder.ts';
import type { LanguageData } from '../language/LanguageData.ts';
import { stem } from '../language/stemming/stem.ts';
import { readSentences, type Sentence } from './readSentences.ts';
import { readWords, type Word } from './readWords.ts';

/**
 * A plain text split into words and sentences, with an index from stems and forms to word positions. The indexes are
 * built at the first lookup, so a page without a keyphrase needs no stemming.
 */
export class IndexedText {
  readonly text: string;
  readonly language: LanguageData;
  readonly words: readonly Word[];
  readonly sentences: readonly Sentence[];
  #sentenceOfWord: Int32Array | null = null;
  #countUpTo: Uint32Array | null = null;
  #byStem: Map<string, number[]> | null = null;
  #byForm: Map<string, number[]> | null = null;

  /**
   * Creates an index. `blocks` are the document's; a field without markup is one block. `Intl` must accept
   * `languageTag`.
   */
  constructor(text: string, blocks: readonly Block[], language: LanguageData, languageTag: string) {
    this.text = text;
    this.language = language;
    this.words = readWords(text, languageTag);
    this.sentences = readSentences(text, blocks, this.words, language, languageTag);
  }

  /** Returns the index of the sentence that contains a word. */
  sentenceOf(word: number): number {
    if (!this.#sentenceOfWord) {
      this.#sentenceOfWord = new Int32Array(this.words.length);
      this.sentences.forEach((sentence, index) => {
        this.#sentenceOfWord?.fill(index, sentence.firstWord, sentence.endWord);
      });
    }
    return this.#sentenceOfWord[word] ?? -1;
  }

  /** Returns the number of words in a range of indices. A word with hyphens or inner stops counts once. */
  countWords(firstWord = 0, endWord = this.words.length): number {
    if (!this.#countUpTo) {
      this.#countUpTo = new Uint32Array(this.words.length + 1);
      for (const [index, { isPart }] of this.words.entries())
        this.#countUpTo[index + 1] = (this.#countUpTo[index] ?? 0) + (isPart ? 0 : 1);
    }
    return (this.#countUpTo[endWord] ?? 0) - (this.#countUpTo[firstWord] ?? 0);
  }

  wordsWithStem(value: string): readonly number[] {
    this.#byStem ??= this.#indexBy((word) => stem(word.form, this.language.code));
    return this.#byStem.get(value) ?? [];
  }

  wordsWithForm(value: string): readonly number[] {
    this.#byForm ??= this.#indexBy((word) => word.form);
    return this.#byForm.get(value) ?? [];
  }

  #indexBy(keyOf: (word: Word) => string): Map<string, number[]> {
    const index = new Map<string, number[]>();
    this.words.forEach((word, position) => {
      const key = keyOf(word);
      const positions = index.get(key);
      if (positions) positions.push(position);
      else index.set(key, [position]);
    });
    return index;
  }
}
