import { LRUCache } from 'lru-cache';
import { indexOf } from '../engine/indexOf.ts';
import type { SearchEngine } from '../engine/SearchEngine.ts';

/** A new language is searched within this time. */
const maxAgeMs = 5000;
const mostInstallations = 200;
const mostTags = 200;

/** Languages in which listings of an installation have translations, by BCP 47 tag. */
export class TranslationTags {
  readonly #engine: SearchEngine;
  readonly #read = new LRUCache<string, Promise<readonly string[]>>({
    max: mostInstallations,
    ttl: maxAgeMs,
  });

  constructor(engine: SearchEngine) {
    this.#engine = engine;
  }

  /** Returns the tags. The result is at most five seconds old. */
  ofInstallation(installationId: string): Promise<readonly string[]> {
    const known = this.#read.get(installationId);
    if (known) return known;
    const reading = this.#find(installationId);
    this.#read.set(installationId, reading);
    // Failures are not cached.
    reading.catch(() => this.#read.delete(installationId));
    return reading;
  }

  async #find(installationId: string): Promise<readonly string[]> {
    const { aggregations = {} } = await indexOf(this.#engine, installationId).search({
      filter: [{ exists: { field: 'translationTags' } }],
      aggregations: { tags: { terms: { field: 'translationTags', size: mostTags } } },
      size: 0,
    });
    const { buckets } = aggregations.tags as unknown as { buckets: readonly { key: string }[] };
    return buckets.map(({ key }) => key);
  }
}
