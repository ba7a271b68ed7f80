import { LRUCache } from 'lru-cache';
import { hashOf } from './readOperations.ts';

/** Characters of one remembered document, and of all of them. */
const maxLength = 50_000;
const maxTotal = 8_000_000;

/**
 * Documents that clients have sent once with their hash, to send the hash alone from then on (automatic persisted
 * queries). Bounded: the least recently used leave first.
 */
export class RememberedQueries {
  readonly #texts: LRUCache<string, string>;

  constructor(max = 2000) {
    this.#texts = new LRUCache({
      max,
      maxSize: maxTotal,
      maxEntrySize: maxLength,
      sizeCalculation: (text) => Math.max(1, text.length),
    });
  }

  find(hash: string): string | undefined {
    return this.#texts.get(hash.toLowerCase());
  }

  /** False if the hash is not that of the document: no client may store a document under the name of another one. */
  remember(hash: string, text: string): boolean {
    if (hash.toLowerCase() !== hashOf(text)) return false;
    this.#texts.set(hash.toLowerCase(), text);
    return true;
  }
}
