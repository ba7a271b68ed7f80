import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { announce } from '../../platform/events/outbox.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import type { JobRun } from '../../platform/jobs/Job.ts';
import type { CountedPlaces } from '../inventory/openPlaces.ts';
import { type ImportRecord, ListingImportModel } from './model.ts';
import { progressOf } from './tellProgress.ts';

const dayMs = 24 * 3600 * 1000;
/** An import and its errors are remembered this long. */
export const rememberedMs = 90 * dayMs;

/** What one run of an import works with. */
export interface ImportRun {
  run: JobRun;
  record: ImportRecord;
  context: Pick<RequestContext, 'platform' | 'installation'>;
  /** Left by the latest batch, so that the next one need not count what is published. */
  counted?: CountedPlaces | undefined;
}

/**
 * Touches the record of the import first of all in a transaction. A relay takes told progress out of it at about this
 * time: whoever meets it here begins again with nothing lost, and it waits for what has begun.
 *
 * @throws Error when the import is not this run's any more
 */
export async function beginBatch({ record, run }: ImportRun, session: ClientSession): Promise<void> {
  const { _id, installationId, counts } = record;
  const own = await scoped(ListingImportModel, installationId).findOneAndUpdate(
    { _id, state: 'running', fence: run.fence, 'counts.rows': counts.rows },
    { $currentDate: { workedAt: true } },
    { session },
  );
  if (!own) throw takenOver(_id);
}

function takenOver(importId: string): Error {
  return new Error(`The import ${importId} was taken over by another run.`);
}

/**
 * Counts what was done, in the transaction that did it.
 *
 * @throws Error when the import is not this run's any more: nothing of the transaction is written then
 */
export async function advance(
  { record, run }: ImportRun,
  done: Partial<ImportRecord['counts']>,
  session: ClientSession,
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
      $push: announce({ platform: run.platform }, 'listing_import.changed', { data }),
    },
    { session },
  );
  if (!after) throw takenOver(_id);
  return after.counts;
}
