import type { Readable } from 'node:stream';
import { AppError, problem } from '../../../platform/errors/AppError.ts';
import { announce } from '../../../platform/events/outbox.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { JobRun } from '../../../platform/jobs/Job.ts';
import { signalArrivals } from '../../kernel/announcement/announceArrivals.ts';
import { ensureSellerLock } from '../../people/seller-standing/sellerStanding.ts';
import { archiveAbsent, assertFewAbsent } from './archiveAbsent.ts';
import { progressOf } from './describeImports.ts';
import type { FeedRow } from './feed/FeedRow.ts';
import { readFeed } from './feed/readFeed.ts';
import { type ImportRun, rememberedMs } from './ImportRun.ts';
import { type ImportRecord, ListingImportModel } from './model.ts';
import { feedKey } from './openFeedUpload.ts';
import { sourcesOf } from './states.ts';
import { stockNumberOf } from './toStockRow.ts';
import { prepareRows, writeRows } from './writeRows.ts';

/** Rows of one transaction. */
const batchRows = 400;
const mostAttempts = 10;

/**
 * Processes the feed of one import from its current position. Rows and their count are written in one transaction.
 * After an interruption, the next run continues after the last counted row, so no row is processed twice.
 */
export async function runImport(run: JobRun, { _id, installationId }: ImportRecord): Promise<void> {
  const installation = run.platform.installations.findById(installationId);
  const record = installation && (await claim(run, installationId, _id));
  if (!record) return;
  const work: ImportRun = { run, record, context: { platform: run.platform, installation } };
  try {
    if (record.attempts > mostAttempts)
      throw new AppError(
        'unavailable',
        'The import was started ten times and never finished. Start a new import.',
        {
          reason: 'gave_up',
        },
      );
    await ensureSellerLock({ installationId }, record.dealerId);
    const numbers = await workThrough(work);
    if (record.mode === 'full') await archiveAbsent(work, numbers);
    await finish(work, { state: 'completed', failure: null });
  } catch (error) {
    if (!(error instanceof AppError) || error.status === 409) throw error;
    const { reason } = error.details;
    const failure = { code: typeof reason === 'string' ? reason : error.code, detail: error.message };
    const isBarred = error.code === 'dealer_not_active' && wasQueued(record);
    await finish(work, { state: isBarred ? 'canceled' : 'failed', failure });
  } finally {
    signalArrivals(work.context);
  }
}

/** Returns whether no row had been processed when this run started. */
function wasQueued({ attempts, counts }: ImportRecord): boolean {
  return attempts === 1 && counts.rows === 0;
}

/** Claims the import. Returns null if it is done or a later run has claimed it. */
async function claim(run: JobRun, installationId: string, _id: string): Promise<ImportRecord | null> {
  const at = new Date(run.platform.now());
  return scoped(ListingImportModel, installationId).findOneAndUpdate(
    { _id, state: { $in: sourcesOf('running', 'worker') }, fence: { $lte: run.fence } },
    [
      {
        $set: {
          state: 'running',
          fence: run.fence,
          attempts: { $add: ['$attempts', 1] },
          startedAt: { $ifNull: ['$startedAt', at] },
        },
      },
    ],
  );
}

/** Returns the stock numbers of all rows, including failed ones: a listing with a failed row is not missing. */
async function workThrough(work: ImportRun): Promise<ReadonlySet<string>> {
  const { run, record } = work;
  const numbers = new Set<string>();
  const doneBefore = record.counts.rows;
  if (record.mode === 'full') await assertFewAbsent(work, await readNumbers(work));
  const writer = new RowWriter(work);
  for await (const row of readFeed(await openFeed(work), record.format)) {
    run.signal.throwIfAborted();
    const number = stockNumberOf(row);
    const isRepeated = number !== null && numbers.has(number);
    if (number !== null) numbers.add(number);
    // An earlier run has processed this row.
    if (row.number <= doneBefore) continue;
    await writer.add(isRepeated ? repeated(row) : row);
  }
  await writer.end();
  return numbers;
}

/** Writes rows in batches. While a batch is written, only the next one is read. */
class RowWriter {
  readonly #work: ImportRun;
  #batch: FeedRow[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(work: ImportRun) {
    this.#work = work;
  }

  async add(row: FeedRow): Promise<void> {
    this.#batch.push(row);
    if (this.#batch.length >= batchRows) await this.#write();
  }

  async end(): Promise<void> {
    if (this.#batch.length > 0) await this.#write();
    await this.#writing;
  }

  async #write(): Promise<void> {
    const rows = prepareRows(this.#batch);
    this.#batch = [];
    await this.#writing;
    this.#writing = writeRows(this.#work, rows);
    // The error is thrown where the promise is awaited; this handler prevents an unhandled rejection before that.
    this.#writing.catch(() => undefined);
  }
}

async function readNumbers(work: ImportRun): Promise<ReadonlySet<string>> {
  const numbers = new Set<string>();
  for await (const row of readFeed(await openFeed(work), work.record.format)) {
    const number = stockNumberOf(row);
    if (number !== null) numbers.add(number);
  }
  return numbers;
}

async function openFeed({ run, record }: ImportRun): Promise<Readable> {
  const file = await run.platform.storage.open(feedKey(record.installationId, record.uploadId));
  if (!file)
    throw new AppError('not_found', 'The uploaded feed has expired. Send it again.', {
      reason: 'feed_gone',
    });
  return file.stream;
}

function repeated(row: FeedRow): FeedRow {
  const detail = 'An earlier row has the same stock number.';
  return { ...row, problems: [problem('#/stockNumber', detail)] };
}

async function finish(
  { run, record, context }: ImportRun,
  end: Pick<ImportRecord, 'state' | 'failure'>,
): Promise<void> {
  const at = new Date(context.platform.now());
  const removeAt = new Date(at.getTime() + rememberedMs);
  const ended = await scoped(ListingImportModel, record.installationId).findOneAndUpdate(
    { _id: record._id, state: { $in: sourcesOf(end.state, 'worker') }, fence: run.fence },
    {
      $set: { ...end, finishedAt: at, removeAt },
      $unset: { openFor: 1 },
      $inc: { version: 1 },
      $push: announce(context, 'listing_import.changed', { data: progressOf({ ...record, ...end }) }),
    },
  );
  // After a crash, the remaining bytes are deleted with the upload.
  if (ended) await context.platform.storage.delete(feedKey(record.installationId, record.uploadId));
}
