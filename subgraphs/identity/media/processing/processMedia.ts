import { createReadStream } from 'node:fs';
import type { UpdateQuery } from 'mongoose';
import { announce } from '../../../platform/events/outbox.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { JobRun } from '../../../platform/jobs/Job.ts';
import { blockId, MediaBlockModel } from '../blockModel.ts';
import { MediaModel, type MediaRecord } from '../model.ts';
import { carryOutBlock } from '../removal/carryOutBlock.ts';
import { nextState } from '../states.ts';
import { renditionKey } from '../storageKeys.ts';
import { type Examined, examine } from './examine.ts';
import type { MediaFailure } from './MediaFailure.ts';
import type { RenderedImage } from './renderImage.ts';

/** Number of started attempts after which a file fails, because it may have crashed the process. */
const mostAttempts = 4;

type Stray = MediaRecord['strays'][number];

/**
 * Processes one file from `processing` to `ready` or `failed`. The run can be interrupted at any time. Planned writes
 * are first noted in the record (`strays`), the same original gives the same names, and unused renditions are removed
 * before the file is ready. Every write names this run's fencing token, so a run that was taken over has no effect.
 *
 * @throws Error that may not recur at the next run; the file stays in `processing`
 */
export async function processMedia(run: JobRun, { _id, installationId }: MediaRecord): Promise<void> {
  const record = await scoped(MediaModel, installationId).findOneAndUpdate(
    { _id, state: 'processing', fence: { $lte: run.fence } },
    { $set: { fence: run.fence } },
  );
  if (!record) return;
  if (record.attempts >= mostAttempts) return fail(run, record, givenUp);
  const { storage } = run.platform;
  const onBegin = () => change(run, record, { $inc: { attempts: 1 } });
  await examine(record, { storage, signal: run.signal, onBegin }, (result) =>
    'failure' in result ? fail(run, record, result.failure) : finish(run, record, result),
  );
}

const givenUp: MediaFailure = {
  code: 'processing_failed',
  detail: 'The file could not be processed. Save it again and upload the new file.',
};

async function finish(run: JobRun, record: MediaRecord, { inspection, image }: Examined): Promise<void> {
  const made = image?.renditions ?? [];
  await keepRenditions(run, record, made);
  const { mimeType: contentType, kind, durationMs = null } = inspection;
  const { width = null, height = null } = image ?? inspection;
  const { blurHash = null, dominantColor = null } = image ?? {};
  const renditions = made.map(({ file: _file, ...rendition }) => rendition);
  const facts = { kind, contentType, width, height, durationMs, blurHash, dominantColor, renditions };
  const strays = without([...record.strays, ...record.renditions], made);
  if (strays.length > 0) {
    await change(run, record, { $set: { ...facts, strays } });
    await removeStrays(run, record, strays);
  }
  await leave(run, record, {
    ...facts,
    strays: [],
    state: nextState('processing', 'mediaProcessing', 'shown'),
  });
  await obeyBlock(run, record);
}

/**
 * Stores renditions; equal renditions share one stored object. The success of the processing is recorded first, so
 * later storage failures do not count as attempts.
 */
async function keepRenditions(
  run: JobRun,
  record: MediaRecord,
  made: RenderedImage['renditions'],
): Promise<void> {
  const { platform, signal } = run;
  const files = [...new Map(made.map((rendition) => [rendition.sha256, rendition])).values()];
  const begun = without(files, [...record.strays, ...record.renditions]);
  await change(run, record, { $set: { attempts: 0 }, $push: { strays: { $each: begun } } });
  for (const rendition of files) {
    await run.assertHeld();
    await platform.storage.put(renditionKey(record, rendition), createReadStream(rendition.file), {
      contentType: `image/${rendition.format}`,
      signal,
    });
  }
}

async function fail(run: JobRun, record: MediaRecord, failure: MediaFailure): Promise<void> {
  const strays = without([...record.strays, ...record.renditions], []);
  if (strays.length > 0) {
    await change(run, record, { $set: { renditions: [], strays } });
    await removeStrays(run, record, strays);
  }
  const state = nextState('processing', 'mediaFailure', 'refused');
  await leave(run, record, { state, failure, renditions: [], strays: [] });
}

async function removeStrays(run: JobRun, record: MediaRecord, strays: readonly Stray[]): Promise<void> {
  for (const stray of strays) {
    await run.assertHeld();
    await run.platform.storage.delete(renditionKey(record, stray));
  }
}

/** Returns the files of the first list that are missing in the second, without duplicates. */
function without(files: readonly Stray[], others: readonly Stray[]): Stray[] {
  const left = new Map(files.map(({ sha256, format }) => [sha256, { sha256, format }]));
  for (const { sha256 } of others) left.delete(sha256);
  return [...left.values()];
}

/** Writes the new state of the file; `failure` is the reason if it failed. */
function leave(run: JobRun, record: MediaRecord, members: Partial<MediaRecord>): Promise<void> {
  const at = new Date(run.platform.now());
  return change(run, record, {
    $set: { failure: null, attempts: 0, ...members, stateAt: at, updatedAt: at },
    $inc: { version: 1 },
    $push: announce(run, members.state === 'ready' ? 'object.published' : 'object.updated'),
  });
}

/**
 * Applies a concurrent block of these bytes, which may have looked for files before this one was ready. One of the two
 * sees the other.
 */
async function obeyBlock({ platform }: JobRun, { installationId, sha256 }: MediaRecord): Promise<void> {
  const _id = blockId(installationId, sha256 ?? '');
  if (await scoped(MediaBlockModel, installationId).findOne({ _id }))
    await carryOutBlock({ installationId, platform }, sha256 ?? '');
}

/**
 * Updates the file.
 *
 * @throws Error if the file was taken over, blocked or rotated meanwhile
 */
async function change(
  { fence }: JobRun,
  { _id, installationId, rotation, original }: MediaRecord,
  update: UpdateQuery<MediaRecord>,
): Promise<void> {
  const changed = await scoped(MediaModel, installationId).findOneAndUpdate(
    { _id, state: 'processing', fence, rotation, original },
    update,
  );
  if (!changed) throw new Error(`The file ${_id} was taken over by another run.`);
}
