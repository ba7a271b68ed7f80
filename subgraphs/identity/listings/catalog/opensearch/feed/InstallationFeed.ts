import { setImmediate } from 'node:timers/promises';
import { scoped } from '../../../../../platform/installation/scoped.ts';
import { columnPaths } from '../../columns/ListingColumns.ts';
import {
  CatalogListingModel,
  type CatalogListingRecord,
  CatalogRemovalModel,
  removalsKeptSeconds,
} from '../../public-listing/model.ts';
import { SettledTime } from '../../public-listing/SettledTime.ts';
import { unseenWritesSince, type Written, writesSince } from '../../public-listing/writesSince.ts';
import type { SearchEngine } from '../engine/SearchEngine.ts';
import {
  listDeadLetters,
  type Progress,
  readProgress,
  removeDeadLetter,
  saveDeadLetter,
  saveProgress,
} from './feedState.ts';
import { toSearchDocument } from './toSearchDocument.ts';
import { type DocumentWrite, versionOf, writeDocuments } from './writeDocuments.ts';

/** Index and installation of a feed. */
export interface FeedTarget {
  engine: SearchEngine;
  index: string;
  installationId: string;
}

/** Context of a pass of the feed. */
export interface FeedRun {
  /** @throws Error if another process writes now */
  assertHeld(): Promise<void>;
  /** Reports the number of documents that were written since the last report. */
  onProgress?(documents: number): void;
}

/** Result of a pass. */
export interface FeedPass {
  documents: number;
  /** Age of the oldest change when it was written, in milliseconds; 0 without changes. */
  lagMs: number;
}

/** Projection of a public copy for its document. */
export const sourceProjection = Object.fromEntries(
  [...columnPaths, 'installationId'].map((path) => [path, 1]),
);

/** Documents between which the process handles other requests. */
const documentsAtOnce = 20;
/** Progress is saved less often than changes are written, because a repeated write has no effect. */
const saveEveryMs = 5000;
/** The time of the last reading is saved as well, from which the next process knows whether it missed removals. */
const saveUnchangedEveryMs = 3_600_000;
/** Allowed difference between the clocks of the database and of this process. */
const clockToleranceMs = 60_000;

/**
 * Writes the changes of one installation to one index. It reads what was changed in the database since its last pass, as
 * the embedded index does. After a crash it continues from the stored progress, and repeated writes have no effect.
 */
export class InstallationFeed {
  /**
   * Whether removals may have expired from the database before they were read. Then the index must be compared with the
   * database.
   */
  readonly mayMissRemovals: boolean;
  readonly #target: FeedTarget;
  readonly #settled: SettledTime;
  /** Versions of recent writes, which every pass reads again until they are settled. */
  readonly #written = new Map<string, number>();
  readonly #refused: Set<string>;
  #saved: { value: Date; at: number };

  private constructor(target: FeedTarget, { settled, readAt }: Progress, refused: Iterable<string>) {
    const now = performance.now();
    this.#target = target;
    this.mayMissRemovals = Date.now() - readAt.getTime() > (removalsKeptSeconds * 1000) / 2;
    this.#settled = new SettledTime(now, settled);
    this.#refused = new Set(refused);
    this.#saved = { value: settled, at: now };
  }

  /** Continues from the stored progress of the index. */
  static async open(target: FeedTarget): Promise<InstallationFeed> {
    const { engine, index, installationId } = target;
    const progress = await readProgress(engine, index, installationId);
    const letters = await listDeadLetters(engine, index, installationId);
    return new InstallationFeed(
      target,
      progress ?? { settled: new Date(0), readAt: new Date() },
      letters.map(({ listingId }) => listingId),
    );
  }

  /** Writes everything that has changed since the last pass. */
  async pass(run: FeedRun): Promise<FeedPass> {
    const begun = performance.now();
    const since = this.#settled.value;
    const result: FeedPass = { documents: 0, lagMs: 0 };
    const { installationId } = this.#target;
    const copies = scoped(CatalogListingModel, installationId);
    const hasWritten = ({ _id, changedAt }: Written): boolean =>
      this.#written.get(_id) === versionOf(changedAt);
    for await (const { writes, records } of unseenWritesSince(copies, since, sourceProjection, hasWritten)) {
      await this.#write(await this.#toWrites(records), writes, run, result);
      await this.#saveOld(writes.at(-1)?.changedAt);
    }
    const removals = scoped(CatalogRemovalModel, installationId);
    for await (const records of writesSince(removals, since, { changedAt: 1 })) {
      const writes = records.map(({ _id, changedAt }) =>
        this.#toWrite(_id, versionOf(changedAt, true), null),
      );
      await this.#write(writes, records, run, result);
    }
    this.#settled.advance(begun);
    this.#forgetSettled();
    if (performance.now() - this.#saved.at > saveEveryMs) await this.save();
    return result;
  }

  /** Stores the progress, from which a later process continues. */
  async save(reached = this.#settled.value): Promise<void> {
    const { value: before, at } = this.#saved;
    if (reached <= before && performance.now() - at < saveUnchangedEveryMs) return;
    const value = reached > before ? reached : before;
    const { engine, index, installationId } = this.#target;
    await saveProgress(engine, index, installationId, value);
    this.#saved = { value, at: performance.now() };
  }

  async #toWrites(records: readonly CatalogListingRecord[]): Promise<DocumentWrite[]> {
    const writes: DocumentWrite[] = [];
    for (const record of records) {
      writes.push(this.#toWrite(record._id, versionOf(record.changedAt), toSearchDocument(record)));
      if (writes.length % documentsAtOnce === 0) await setImmediate();
    }
    return writes;
  }

  #toWrite(id: string, version: number, document: DocumentWrite['document']): DocumentWrite {
    return { id, installationId: this.#target.installationId, version, document };
  }

  async #write(
    writes: readonly DocumentWrite[],
    read: readonly Written[],
    run: FeedRun,
    result: FeedPass,
  ): Promise<void> {
    const fresh = writes.filter(({ id, version }) => (this.#written.get(id) ?? 0) < version);
    if (fresh.length > 0) {
      await run.assertHeld();
      await this.apply(fresh);
      const oldest = Math.min(...fresh.map(({ version }) => Math.floor(version / 2)));
      result.lagMs = Math.max(result.lagMs, Date.now() - oldest);
      result.documents += fresh.length;
      run.onProgress?.(fresh.length);
    }
    for (const { changedAt } of read) this.#settled.see(changedAt);
  }

  /** Applies writes, and stores those that the index refuses as dead letters. */
  async apply(writes: readonly DocumentWrite[]): Promise<void> {
    const { engine, index, installationId } = this.#target;
    const refused = await writeDocuments(engine, index, writes);
    const at = Date.now();
    for (const { write, error } of refused) {
      const { id: listingId, version } = write;
      await saveDeadLetter(engine, { index, installationId, listingId, version, error, at });
      this.#refused.add(listingId);
    }
    const failed = new Set(refused.map(({ write }) => write.id));
    for (const { id, version } of writes) {
      if (version / 2 > at - 5 * clockToleranceMs) this.#written.set(id, version);
      if (failed.has(id) || !this.#refused.delete(id)) continue;
      await removeDeadLetter(engine, { index, listingId: id });
    }
  }

  /** Saves the progress of a long first pass: everything up to a time that is long over was committed. */
  async #saveOld(changedAt: Date | undefined): Promise<void> {
    if (!changedAt || performance.now() - this.#saved.at < saveEveryMs) return;
    await this.save(new Date(Math.min(changedAt.getTime() - 1, Date.now() - clockToleranceMs)));
  }

  #forgetSettled(): void {
    const settled = versionOf(this.#settled.value);
    for (const [id, version] of this.#written) if (version <= settled) this.#written.delete(id);
  }
}
