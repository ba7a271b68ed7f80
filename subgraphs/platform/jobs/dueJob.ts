import type { ClientSession, Model, ProjectionType, QueryFilter, UpdateQuery } from 'mongoose';
import type { Platform } from '../context/Platform.ts';
import type { Installation } from '../installation/Installation.ts';
import { type ReadOptions, type ScopedRecord, scoped } from '../installation/scoped.ts';
import { inTransaction } from '../mongo/inTransaction.ts';
import { drainEach } from './drainEach.ts';
import type { Job, JobRun } from './Job.ts';

/** The installation whose records are processed. */
export interface DueScope {
  readonly installationId: string;
  readonly installation: Installation;
  readonly platform: Platform;
}

/** The transaction in which a batch is read and processed. */
export interface DueBatch extends DueScope {
  readonly at: Date;
  readonly session: ClientSession;
}

const usualBatchSize = 50;

/** The job, and which records it processes in ascending order of their date. */
interface DueRecords<R extends ScopedRecord> extends Pick<Job, 'name' | 'everyMs'> {
  readonly model: Model<R>;
  /** Member with the date. An index starts with it or with the members of `filter`. */
  readonly due: string;
  /** Milliseconds from that date until the record is due. Default 0. */
  readonly afterMs?: number;
  readonly filter?: QueryFilter<R>;
  readonly batchSize?: number;
}

/**
 * Returns a job that processes each record whose date has passed. A failed record is logged and does not delay the
 * others.
 *
 * @param retryMs delay after which a record is due again if `work` failed or left it due
 * @param work one step of one record, conditional on what is stored; it moves the date, or clears it if nothing is
 *   left
 */
export function dueJob<R extends ScopedRecord>({
  retryMs,
  work,
  ...records
}: DueRecords<R> & {
  readonly due: string & keyof R;
  readonly retryMs: number;
  work(scope: DueScope, record: R): Promise<unknown>;
}): Job {
  const { name } = records;
  const attempt = async ({ signal }: JobRun, scope: DueScope, record: R): Promise<void> => {
    try {
      await work(scope, record);
    } catch (error) {
      // An aborted run has not failed: the record stays due for the next run.
      signal.throwIfAborted();
      scope.platform.log.error({ err: error, job: name, record: record._id }, 'due record failed');
    }
  };
  return toJob(records, async (run, scope) => {
    const found = await findDue(records, scope);
    const attempted: R[] = [];
    for (const record of found) {
      if (run.signal.aborted) break;
      await run.assertHeld();
      await attempt(run, scope, record);
      attempted.push(record);
    }
    await postpone(records, scope, attempted, retryMs);
    return found.length;
  });
}

/** Postpones records with an unchanged due date. A process that changed it has decided when the record is due again. */
async function postpone<R extends ScopedRecord>(
  { model, due }: DueRecords<R>,
  { installationId, platform }: DueScope,
  attempted: readonly R[],
  retryMs: number,
): Promise<void> {
  if (attempted.length === 0) return;
  const unmoved = attempted.map((record) => ({ _id: record._id, [due]: record[due as keyof R] }));
  await scoped(model, installationId).updateMany({ $or: unmoved }, {
    $set: { [due]: new Date(platform.now() + retryMs) },
  } as UpdateQuery<R>);
}

/**
 * Returns a job that processes due records in batches. Each batch is one transaction that also reads the records, so a
 * concurrent change of one of them conflicts with the batch, which is then read again. A failed batch ends the run,
 * which is repeated.
 *
 * @param projection members that `work` reads; all by default
 * @param work processes the whole batch; no record may be due afterwards
 */
export function dueBatchJob<R extends ScopedRecord>({
  projection,
  work,
  ...records
}: DueRecords<R> & {
  readonly projection?: ProjectionType<R>;
  work(batch: DueBatch, found: readonly R[]): Promise<void>;
}): Job {
  return toJob(records, (_, scope) =>
    inTransaction(async (session) => {
      const found = await findDue(records, scope, { session, ...(projection && { projection }) });
      const at = new Date(scope.platform.now());
      if (found.length > 0) await work({ ...scope, at, session }, found);
      return found.length;
    }),
  );
}

function toJob<R extends ScopedRecord>(
  { name, everyMs, batchSize = usualBatchSize }: DueRecords<R>,
  workBatch: (run: JobRun, scope: DueScope) => Promise<number>,
): Job {
  return {
    name,
    everyMs,
    run: (run) =>
      drainEach(run, batchSize, (installation) =>
        workBatch(run, { installationId: installation.id, installation, platform: run.platform }),
      ),
  };
}

function findDue<R extends ScopedRecord>(
  { model, due, afterMs = 0, filter, batchSize = usualBatchSize }: DueRecords<R>,
  { installationId, platform }: DueScope,
  options: Pick<ReadOptions<R>, 'projection' | 'session'> = {},
): Promise<R[]> {
  // The type is stated for indexes that contain only records with a date.
  const passed = { $lte: new Date(platform.now() - afterMs), $type: 'date' };
  return scoped(model, installationId).find(
    { ...filter, [due]: passed },
    { ...options, sort: { [due]: 1, _id: 1 }, limit: batchSize },
  );
}
