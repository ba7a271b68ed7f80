import type { UpdateQuery } from 'mongoose';
import type { Logger } from 'pino';
import { type ScopedCollection, type ScopedRecord, scoped } from '../installation/scoped.ts';
import type { Telemetry } from '../telemetry/Telemetry.ts';
import { dayMs } from '../time/durations.ts';
import { type Bucket, InstallationUsage, type NewOperation, type UsageBatch } from './InstallationUsage.ts';
import {
  UsageCountModel,
  type UsageCountRecord,
  UsageOperationModel,
  type UsageOperationRecord,
  usageCountId,
  usageOperationId,
} from './model.ts';
import type { Usage } from './Usage.ts';

/** Settings of the usage ledger. */
export interface UsageSettings {
  /** Days after which usage is deleted. */
  readonly retentionDays: number;
  /** Milliseconds between two writes. */
  readonly intervalMs: number;
}

/** Counts which clients use which parts of the API. */
export interface UsageLedger {
  /** Counts an execution in memory. */
  count(usage: Usage): void;
  /** Stores the counts; those that cannot be stored wait for the next interval. */
  flush(): Promise<void>;
  /** Stores the counts and starts no further timers. */
  close(): Promise<void>;
}

/** Of one installation in one process. The stored counts of 90 days are therefore limited as well. */
const limits = { names: 100, operations: 1000, buckets: 2000 };
/** Operations are noted again every day, so their records outlive the counts of the day by this time. */
const renotedWithinMs = 2 * dayMs;

/**
 * Opens the ledger of this process. It writes at most once in an interval: one command for counts and one for new
 * operations, for each installation with usage. A process that is killed loses its last interval. If the response to a
 * write is lost, its counts are stored twice.
 */
export function openUsageLedger(
  { retentionDays, intervalMs }: UsageSettings,
  { log, now, telemetry }: { log: Logger; now: () => number; telemetry: Telemetry | undefined },
): UsageLedger {
  const installations = new Map<string, InstallationUsage>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const schedule = (): void => {
    timer ??= setTimeout(() => void flush(), intervalMs).unref();
  };
  const write = async (): Promise<void> => {
    for (const [installationId, usage] of installations) {
      const batch = usage.take();
      if (batch.overflow > 0) telemetry?.noteUsageOverflow(batch.overflow);
      try {
        await store(installationId, batch, retentionDays * dayMs);
      } catch (error) {
        log.warn({ err: error, installationId }, 'usage counts wait for the database');
        usage.putBack(batch);
        schedule();
      }
    }
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    return (writing = writing.then(write));
  };
  return {
    count(usage) {
      let ofOne = installations.get(usage.installationId);
      if (!ofOne) {
        ofOne = new InstallationUsage(limits);
        installations.set(usage.installationId, ofOne);
      }
      ofOne.count(usage, now());
      schedule();
    },
    flush,
    async close() {
      await flush();
      clearTimeout(timer);
    },
  };
}

async function store(
  installationId: string,
  { buckets, operations }: UsageBatch,
  retentionMs: number,
): Promise<void> {
  // Operations first, because a count without its operation would be the use of no coordinate.
  if (operations.length > 0) {
    const expiresAt = new Date(lastUseOf(buckets) + retentionMs + renotedWithinMs);
    const writes = operations.map((operation) => toOperationWrite(installationId, operation, expiresAt));
    await upsert(scoped(UsageOperationModel, installationId), writes);
  }
  if (buckets.length > 0) {
    const writes = buckets.map((bucket) => toCountWrite(installationId, bucket, retentionMs));
    await upsert(scoped(UsageCountModel, installationId), writes);
  }
}

function lastUseOf(buckets: readonly Bucket[]): number {
  return buckets.reduce((last, { lastMs }) => Math.max(last, lastMs), 0);
}

function toOperationWrite(
  installationId: string,
  { operation, name, coordinates }: NewOperation,
  expiresAt: Date,
): UsageWrite<UsageOperationRecord> {
  return {
    _id: usageOperationId(installationId, operation),
    update: {
      $addToSet: { coordinates: { $each: [...coordinates] } },
      $setOnInsert: { operation, name },
      $max: { expiresAt },
    },
  };
}

function toCountWrite(
  installationId: string,
  { hourMs, client, operation, count, firstMs, lastMs }: Bucket,
  retentionMs: number,
): UsageWrite<UsageCountRecord> {
  return {
    _id: usageCountId(installationId, hourMs, client, operation),
    update: {
      $inc: { count },
      $min: { firstUsedAt: new Date(firstMs) },
      $max: { lastUsedAt: new Date(lastMs) },
      $set: { expiresAt: new Date(hourMs + retentionMs) },
      $setOnInsert: { hour: new Date(hourMs), client, operation },
    },
  };
}

/** One upsert of a record. */
interface UsageWrite<R> {
  readonly _id: string;
  readonly update: UpdateQuery<R>;
}

async function upsert<R extends ScopedRecord>(
  collection: Pick<ScopedCollection<R>, 'upsertEach'>,
  writes: readonly UsageWrite<R>[],
): Promise<void> {
  const lost = await collection.upsertEach(writes);
  // Of concurrent writes that create a record, the failed one finds the record on its second attempt.
  if (lost.size > 0) await collection.upsertEach(writes.filter((_, index) => lost.has(index)));
}
