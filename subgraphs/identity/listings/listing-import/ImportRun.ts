import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { announce } from '../../../platform/events/outbox.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { JobRun } from '../../../platform/jobs/Job.ts';
import { dayMs } from '../../../platform/time/durations.ts';
import type { CountedPlaces } from '../inventory/openPlaces.ts';
import { progressOf } from './describeImports.ts';
import { type ImportRecord, ListingImportModel } from './model.ts';

/** An import and its errors are remembered this long. */
export const rememberedMs = 90 * dayMs;

/** Context of a run of an import. */
export interface ImportRun {
  run: JobRun;
  record: ImportRecord;
  context: Pick<RequestContext, 'platform' | 'installation'>;
  /** Count of the latest batch, so that the next one need not count the published listings. */
  counted?: CountedPlaces | undefined;
  /** Time of the last published progress, in milliseconds of a monotonic clock. */
  toldAt?: number;
}

/**
 * Minimum interval between published progress events. A relay removes published entries from the import's record, and a
 * batch that runs at that time must restart. Publishing every batch would write a feed twice.
 */
const toldEveryMs = 5000;

/** Returns whether the next batch publishes its progress. */
export function isToBeTold({ toldAt }: ImportRun): boolean {
  return toldAt === undefined || performance.now() - toldAt >= toldEveryMs;
}

/**
 * Adds the counts in the transaction of the batch.
 *
 * @throws Error if another run has taken over the import, which aborts the transaction
 */
export async function advance(
  { record, run }: ImportRun,
  done: Partial<ImportRecord['counts']>,
  { session, isTold }: { session: ClientSession; isTold: boolean },
): Promise<ImportRecord['counts']> {
  const { _id, installationId, counts } = record;
  const changed = Object.entries(done) as [keyof ImportRecord['counts'], number][];
  const next = { ...counts };
  for (const [name, value] of changed) next[name] += value;
  const data = progressOf({ ...record, state: 'running', counts: next });
  const after = await scoped(ListingImportModel, installationId).findOneAndUpdate(
    { _id, state: 'running', fence: run.fence, 'counts.rows': counts.rows },
    {
      $inc: { version: 1, ...Object.fromEntries(changed.map(([name, value]) => [`counts.${name}`, value])) },
      ...(isTold && { $push: announce({ platform: run.platform }, 'listing_import.changed', { data }) }),
    },
    { session },
  );
  if (!after) throw new Error(`The import ${_id} was taken over by another run.`);
  return after.counts;
}
