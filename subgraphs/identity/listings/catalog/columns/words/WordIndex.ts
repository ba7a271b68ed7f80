import type { ListingTexts } from '../IndexedListing.ts';
import type { Slices } from '../Slices.ts';
import { scratchRows, scratchScores, type WordPurpose } from '../scratch.ts';
import { digestOf } from './digestOf.ts';
import { WordLists } from './WordLists.ts';

/** Rows with at least one of the words, and their score; valid until the next query, see `scratchRows`. */
export interface WordMatches {
  rows: { readonly rows: Uint32Array; length: number };
  scores: Uint16Array;
}

/** Weight of a word in a field. */
export const weights = { title: 10, attributesText: 5, description: 1 } as const;
const fields = ['title', 'attributesText', 'description'] as const;
/** Weights by the set of fields that contain a word. */
const scoreOf = Uint16Array.from({ length: 1 << fields.length }, (_, set) =>
  fields.reduce((sum, field, bit) => sum + (set & (1 << bit) ? weights[field] : 0), 0),
);

const none = 0xffff_ffff;
/** Number of entries that are read together. */
const entries = new Uint32Array(8192);

/**
 * Inverted index in memory: the listings that contain a word. A changed text is a new text with a greater number, so
 * lists only grow at their ends. Entries of outdated texts are skipped, and removed when there are many.
 */
export class WordIndex {
  #lists = new WordLists();
  #rowOf = new Uint32Array(64);
  #textOf = new Uint32Array(64).fill(none);
  #digests = new Float64Array(64);
  #texts = 0;
  #outdated = 0;
  readonly #mostOutdated: number;

  /** @param mostOutdated up to this number, outdated texts cost less than their removal */
  constructor({ mostOutdated = 10_000 }: { mostOutdated?: number } = {}) {
    this.#mostOutdated = mostOutdated;
  }

  /** Bytes of the lists, without the words themselves. */
  get bytes(): number {
    return this.#lists.postings.bytes;
  }

  put(row: number, texts: ListingTexts): void {
    const { languageTag } = texts;
    const said = fields.map((field) => texts[field]);
    const digest = digestOf([languageTag, ...said].join('\n'));
    if (row < this.#textOf.length && this.#textOf[row] !== none && this.#digests[row] === digest) return;
    this.remove(row);
    const text = this.#claim(row);
    this.#digests[row] = digest;
    this.#lists.add(text, said, languageTag);
  }

  remove(row: number): void {
    const text = row < this.#textOf.length ? (this.#textOf[row] as number) : none;
    if (text === none) return;
    this.#textOf[row] = none;
    this.#rowOf[text] = none;
    this.#outdated += 1;
  }

  /**
   * Looks up stems; a listing needs only one of them.
   *
   * @param size number of rows
   */
  *find(stems: Iterable<string>, size: number, purpose: WordPurpose = 'matched'): Slices<WordMatches> {
    const scores = scratchScores(purpose, size).fill(0, 0, size);
    const matched = { rows: scratchRows(purpose, size), length: 0 };
    for (const stem of stems) {
      const list = this.#lists.find(stem);
      if (list === undefined) continue;
      const reader = this.#lists.postings.read(list);
      for (let count = reader.read(entries); count > 0; count = reader.read(entries)) {
        matched.length = this.#score(count, scores, matched.rows, matched.length);
        yield;
      }
    }
    return { rows: matched, scores };
  }

  /** Removes outdated texts if that frees enough memory. */
  *tidy(): Slices<void> {
    if (this.#outdated < Math.max(this.#mostOutdated, this.#texts / 3)) return;
    const lists = new WordLists();
    const numbers = new Uint32Array(this.#texts);
    let texts = 0;
    for (let text = 0; text < this.#texts; text += 1) {
      numbers[text] = texts;
      if (this.#rowOf[text] !== none) texts += 1;
    }
    for (const [stem, list] of this.#lists.stems) {
      const reader = this.#lists.postings.read(list);
      let copied: number | null = null;
      for (let count = reader.read(entries); count > 0; count = reader.read(entries)) {
        for (let index = 0; index < count; index += 1) {
          const entry = entries[index] as number;
          if (this.#rowOf[entry >>> 3] === none) continue;
          copied ??= lists.open(stem);
          lists.postings.append(copied, numbers[entry >>> 3] as number, entry & 7);
        }
        yield;
      }
    }
    this.#renumber(numbers, texts);
    this.#lists = lists;
  }

  #renumber(numbers: Uint32Array, texts: number): void {
    const rowOf = new Uint32Array(Math.max(64, texts * 1.25));
    for (let text = 0; text < this.#texts; text += 1) {
      const row = this.#rowOf[text] as number;
      if (row === none) continue;
      rowOf[numbers[text] as number] = row;
      this.#textOf[row] = numbers[text] as number;
    }
    [this.#rowOf, this.#texts, this.#outdated] = [rowOf, texts, 0];
  }

  /** Returns the number of matched rows. */
  #score(count: number, scores: Uint16Array, rows: Uint32Array, before: number): number {
    const rowOf = this.#rowOf;
    let length = before;
    for (let index = 0; index < count; index += 1) {
      const entry = entries[index] as number;
      const row = rowOf[entry >>> 3] as number;
      if (row === none) continue;
      const score = scores[row] as number;
      if (score === 0) rows[length++] = row;
      scores[row] = score + (scoreOf[entry & 7] as number);
    }
    return length;
  }

  /** Returns the number of a new text of the row. */
  #claim(row: number): number {
    if (row >= this.#textOf.length) {
      const length = Math.max(row + 1, this.#textOf.length * 2);
      const textOf = new Uint32Array(length).fill(none);
      textOf.set(this.#textOf);
      const digests = new Float64Array(length);
      digests.set(this.#digests);
      [this.#textOf, this.#digests] = [textOf, digests];
    }
    const text = this.#texts++;
    if (text >= this.#rowOf.length) {
      const rowOf = new Uint32Array(this.#rowOf.length * 2);
      rowOf.set(this.#rowOf);
      this.#rowOf = rowOf;
    }
    this.#rowOf[text] = row;
    this.#textOf[row] = text;
    return text;
  }
}
