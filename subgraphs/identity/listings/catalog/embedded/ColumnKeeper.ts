import { AppError } from '../../../../platform/errors/AppError.ts';
import { scoped } from '../../../../platform/installation/scoped.ts';
import { inTurn } from '../columns/inTurn.ts';
import { columnPaths, ListingColumns } from '../columns/ListingColumns.ts';
import type { Slices } from '../columns/Slices.ts';
import { CatalogListingModel, CatalogRemovalModel, removalsKeptSeconds } from '../public-listing/model.ts';
import { SettledTime } from '../public-listing/SettledTime.ts';
import { unseenWritesSince, type Written, writesSince } from '../public-listing/writesSince.ts';

/** Records between which queries get their turn, and records between which the process answers others. */
const recordsOfTurn = 200;
const recordsAtOnce = 10;
/** A reader waits for the first reading this long, and then gets `Retry-After`. */
const longestFirstWaitMs = 3000;
/**
 * Maximum time that a query waits for an incremental read, in milliseconds. A read exceeds it only during a very high
 * write rate; the query then uses the current state.
 */
const longestWaitMs = 1000;
/** Number of records above which concurrent queries share the result of the read. */
const busyRecords = 500;
const longestPauseMs = 500;

/**
 * Keeps the columns of an installation. Before every query it reads the writes of all processes since the last read, so
 * every committed write is found without notifications.
 */
export class ColumnKeeper {
  readonly #installationId: string;
  readonly #clock: () => number;
  #columns = new ListingColumns();
  #settled: SettledTime;
  #readAt: number;
  #pausedUntil = 0;
  #isLoaded = false;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  /**
   * Creates a keeper without columns.
   *
   * @param clock monotonic clock in milliseconds
   */
  constructor(installationId: string, clock: () => number = () => performance.now()) {
    this.#installationId = installationId;
    this.#clock = clock;
    this.#readAt = clock();
    this.#settled = new SettledTime(this.#readAt);
  }

  /**
   * Returns the columns with everything that was committed before the call. During a very high write rate, they may be
   * slightly older. During the first read of a very large installation, callers are asked to retry.
   *
   * @throws AppError `unavailable`
   */
  async current(): Promise<ListingColumns> {
    if (this.#isLoaded && this.#clock() < this.#pausedUntil) return this.#columns;
    const isDone = await endsWithin(this.#refresh(), this.#isLoaded ? longestWaitMs : longestFirstWaitMs);
    if (!isDone && !this.#isLoaded) throw notReady();
    return this.#columns;
  }

  /** Resolves after a read that starts after the call. Calls during a read share the next one. */
  #refresh(): Promise<void> {
    if (!this.#running) return this.#start();
    this.#next ??= this.#running.catch(() => undefined).then(() => this.#start());
    return this.#next;
  }

  #start(): Promise<void> {
    this.#next = null;
    this.#running = this.#read().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #read(): Promise<void> {
    const begun = this.#clock();
    if (begun - this.#readAt > (removalsKeptSeconds * 1000) / 2) this.#reset();
    const since = this.#settled.value;
    const [copies, removals] = await Promise.all([this.#readCopies(since), this.#readRemovals(since)]);
    await takeInTurns(removals, (removal) => this.#applyRemoval(removal));
    const read = copies + removals.length;
    if (read > 0) await inTurn(() => this.#columns.tidy());
    this.#isLoaded = true;
    this.#readAt = begun;
    this.#settled.advance(begun);
    const now = this.#clock();
    if (read > busyRecords) this.#pausedUntil = now + Math.min(now - begun, longestPauseMs);
  }

  /** Discards the columns, because removals that they miss have expired from the database. */
  #reset(): void {
    this.#columns = new ListingColumns();
    this.#settled = new SettledTime(this.#clock());
    this.#isLoaded = false;
  }

  /** Returns the number of writes. */
  async #readCopies(since: Date): Promise<number> {
    const projection = Object.fromEntries(columnPaths.map((path) => [path, 1]));
    const copies = scoped(CatalogListingModel, this.#installationId);
    const holds = ({ _id, changedAt }: Written): boolean =>
      this.#columns.changedAtOf(_id) === changedAt.getTime();
    let count = 0;
    for await (const { writes, records } of unseenWritesSince(copies, since, projection, holds)) {
      await takeInTurns(records, (copy) => this.#columns.put(copy));
      this.#see(writes);
      count += writes.length;
    }
    return count;
  }

  async #readRemovals(since: Date): Promise<Written[]> {
    const found: Written[] = [];
    const removals = scoped(CatalogRemovalModel, this.#installationId);
    for await (const records of writesSince(removals, since, { changedAt: 1 })) {
      found.push(...records);
      this.#see(records);
    }
    return found;
  }

  #see(writes: readonly Written[]): void {
    for (const { changedAt } of writes) this.#settled.see(changedAt);
  }

  /** Applies a removal unless the copy is newer. A copy that is newer than its removal was published again. */
  #applyRemoval({ _id, changedAt }: Written): void {
    const held = this.#columns.changedAtOf(_id);
    if (held !== null && held <= changedAt.getTime()) this.#columns.remove(_id);
  }
}

/** Applies records in turns between queries, so no query sees a partial record. */
async function takeInTurns<R>(records: readonly R[], take: (record: R) => void): Promise<void> {
  for (let start = 0; start < records.length; start += recordsOfTurn)
    await inTurn(() => takeEach(records.slice(start, start + recordsOfTurn), take));
}

function* takeEach<R>(records: readonly R[], take: (record: R) => void): Slices<void> {
  for (const [index, record] of records.entries()) {
    take(record);
    if (index % recordsAtOnce === 0) yield;
  }
}

/**
 * Returns whether work completes within a time.
 *
 * @throws the error of the work
 */
async function endsWithin(work: Promise<void>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<false>((over) => {
    timer = setTimeout(() => over(false), limitMs);
  });
  // Prevents an unhandled rejection after the caller has timed out.
  work.catch(() => undefined);
  try {
    return await Promise.race([work.then(() => true), limit]);
  } finally {
    clearTimeout(timer);
  }
}

function notReady(): AppError {
  return new AppError('unavailable', 'The catalogue is still loading. Retry in a few seconds.', {
    retryAfter: 2,
  });
}
