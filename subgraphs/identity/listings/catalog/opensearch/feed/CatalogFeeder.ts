import pLimit from 'p-limit';
import { listIndexes, schemaDigest } from '../engine/catalogIndex.ts';
import type { SearchEngine } from '../engine/SearchEngine.ts';
import { compareInstallation } from './compareInstallation.ts';
import { ensureState } from './feedState.ts';
import { type FeedPass, type FeedRun, InstallationFeed } from './InstallationFeed.ts';

const installationsAtOnce = 4;

/** Writes the catalogue of all installations to indexes. */
export class CatalogFeeder {
  readonly #engine: SearchEngine;
  readonly #feeds = new Map<string, Map<string, InstallationFeed>>();
  #hasState = false;

  constructor(engine: SearchEngine) {
    this.#engine = engine;
  }

  /** Returns the index that is searched. Null if there is none, or if it is one of another release. */
  async currentIndex(): Promise<{ name: string; isOfThisRelease: boolean } | null> {
    const searched = (await listIndexes(this.#engine)).find(({ isSearched }) => isSearched);
    return searched ? { name: searched.name, isOfThisRelease: searched.schemaDigest === schemaDigest } : null;
  }

  /** Writes everything that has changed since the last pass to an index. */
  async pass(index: string, installationIds: readonly string[], run: FeedRun): Promise<FeedPass> {
    if (!this.#hasState) await ensureState(this.#engine);
    this.#hasState = true;
    const limit = pLimit(installationsAtOnce);
    const passes = await Promise.all(
      installationIds.map((id) =>
        limit(async () => {
          const feed = await this.#feedOf(index, id, run);
          return feed.pass(run);
        }),
      ),
    );
    return {
      documents: passes.reduce((sum, { documents }) => sum + documents, 0),
      lagMs: Math.max(0, ...passes.map(({ lagMs }) => lagMs)),
    };
  }

  /** Stores the progress of all installations, from which another process continues. */
  async save(index: string): Promise<void> {
    for (const feed of this.#feeds.get(index)?.values() ?? []) await feed.save();
  }

  /** Drops what is known of other indexes, which were replaced. */
  keepOnly(indexes: readonly string[]): void {
    for (const index of this.#feeds.keys()) if (!indexes.includes(index)) this.#feeds.delete(index);
  }

  async #feedOf(index: string, installationId: string, run: FeedRun): Promise<InstallationFeed> {
    let feeds = this.#feeds.get(index);
    if (!feeds) {
      feeds = new Map();
      this.#feeds.set(index, feeds);
    }
    let feed = feeds.get(installationId);
    if (!feed) {
      const target = { engine: this.#engine, index, installationId };
      feed = await InstallationFeed.open(target);
      if (feed.mayMissRemovals) await compareInstallation(target, { repairWith: feed, run });
      feeds.set(installationId, feed);
    }
    return feed;
  }
}
