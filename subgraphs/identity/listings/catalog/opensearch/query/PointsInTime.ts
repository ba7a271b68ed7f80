import { LRUCache } from 'lru-cache';
import { indexOf } from '../engine/indexOf.ts';
import type { SearchEngine } from '../engine/SearchEngine.ts';

/** Time for which the pages of different callers share a point in time. The cluster has a limit of open ones. */
export const sharedMs = 2000;
const mostInstallations = 200;

/** Points in time of this process, in which pages after the first one are read. */
export class PointsInTime {
  readonly #engine: SearchEngine;
  readonly #opened = new LRUCache<string, Promise<string>>({ max: mostInstallations, ttl: sharedMs });

  constructor(engine: SearchEngine) {
    this.#engine = engine;
  }

  /**
   * Returns a recent point in time of an installation. Null if none can be opened, because pages can be read without
   * one as well: a cursor contains the position.
   */
  async recent(installationId: string): Promise<string | null> {
    let opening = this.#opened.get(installationId);
    if (!opening) {
      opening = indexOf(this.#engine, installationId).openPointInTime();
      this.#opened.set(installationId, opening);
    }
    try {
      return await opening;
    } catch {
      this.#opened.delete(installationId);
      return null;
    }
  }

  /** Forgets a point in time that the engine has closed. */
  forget(installationId: string): void {
    this.#opened.delete(installationId);
  }
}
