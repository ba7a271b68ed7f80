import { setTimeout as pause } from 'node:timers/promises';
import type { Platform } from '../../../../../platform/context/Platform.ts';
import { AppError } from '../../../../../platform/errors/AppError.ts';
import type { Job, JobRun } from '../../../../../platform/jobs/Job.ts';
import { outboxOf } from '../../../../../platform/mongo/outboxFilled.ts';
import { ListingModel } from '../../../listing/record/model.ts';
import { engineOf } from '../engine/engineOf.ts';
import { isAway } from '../engine/SearchEngine.ts';
import { CatalogFeeder } from '../feed/CatalogFeeder.ts';
import { EngineBusyError, IndexGoneError } from '../feed/writeDocuments.ts';
import { rebuildIndex } from './rebuildIndex.ts';

/** With the refresh of the index, a change is found within two seconds. */
const everyMs = 500;

/** Feed of a process, and the start of its last successful pass. */
interface Feeding {
  readonly feeder: CatalogFeeder;
  succeededAt: number;
  isAway: boolean;
}

const feedings = new WeakMap<Platform, Feeding>();

/**
 * Writes changes of the catalogue to OpenSearch. Creates the index at the first start, and replaces an index of another
 * release. If the engine is not available, the next run continues.
 */
export const catalogIndexJob: Job = {
  name: 'identity.catalog-index',
  everyMs,
  signals: [outboxOf(ListingModel.collection.name)],
  isNeeded: ({ catalog }) => catalog.engine === 'opensearch',
  async run(run) {
    const { platform } = run;
    const feeding = feedingOf(platform);
    const begun = Date.now();
    try {
      const lagMs = await feed(feeding.feeder, run);
      if (feeding.isAway) platform.log.info('the catalogue is written to OpenSearch again');
      feeding.succeededAt = begun;
      feeding.isAway = false;
      platform.telemetry?.noteCatalogLag(lagMs / 1000);
    } catch (error) {
      if (!isTemporary(error)) throw error;
      if (!feeding.isAway) platform.log.warn({ err: error }, 'OpenSearch does not accept the catalogue now');
      feeding.isAway = true;
      platform.telemetry?.noteCatalogLag((Date.now() - feeding.succeededAt) / 1000);
    }
  },
};

function feedingOf(platform: Platform): Feeding {
  let feeding = feedings.get(platform);
  if (!feeding) {
    feeding = { feeder: new CatalogFeeder(engineOf(platform)), succeededAt: Date.now(), isAway: false };
    feedings.set(platform, feeding);
  }
  return feeding;
}

/** Returns the age of the oldest change that was written, in milliseconds. */
async function feed(feeder: CatalogFeeder, run: JobRun): Promise<number> {
  const { platform, signal } = run;
  const engine = engineOf(platform);
  const installationIds = platform.installations.all.map(({ id }) => id);
  const current = await feeder.currentIndex();
  if (current?.isOfThisRelease) {
    feeder.keepOnly([current.name]);
    return (await feeder.pass(current.name, installationIds, run)).lagMs;
  }
  const rebuilt = new AbortController();
  const rebuilding = rebuildIndex({ engine, feeder, installationIds, run }).finally(() => rebuilt.abort());
  const stop = AbortSignal.any([signal, rebuilt.signal]);
  if (current) await keepFeeding(feeder, current.name, { run, installationIds, stop });
  await rebuilding;
  return 0;
}

/** Writes to the index that is searched until another one replaces it. */
async function keepFeeding(
  feeder: CatalogFeeder,
  index: string,
  { run, installationIds, stop }: { run: JobRun; installationIds: readonly string[]; stop: AbortSignal },
): Promise<void> {
  while (!stop.aborted) {
    try {
      await feeder.pass(index, installationIds, run);
    } catch (error) {
      if (!isTemporary(error)) throw error;
    }
    await pause(everyMs, undefined, { signal: stop }).catch(() => undefined);
  }
}

function isTemporary(error: unknown): boolean {
  return (
    isAway(error) ||
    error instanceof IndexGoneError ||
    error instanceof EngineBusyError ||
    (error instanceof AppError && error.code === 'unavailable')
  );
}
