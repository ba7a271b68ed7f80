import { LRUCache } from 'lru-cache';
import { hashOf } from './readOperations.ts';

/** Characters of one remembered document, and of all of them. */
const maxLength = 50_000;
const maxTotal = 8_000_000;

/**
 * Documents that clients have sent once with their hash, so that they can send only the hash afterwards (automatic
 * persisted queries). The cache is bounded and evicts the least recently used.
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

  /**
   * Stores a document; returns false if the hash is not that of the document, so that no client can store a document
   * under another hash.
   */
  remember(hash: string, text: string): boolean {
    if (hash.toLowerCase() !== hashOf(text)) return false;
    this.#texts.set(hash.toLowerCase(), text);
    return true;
  }
}
