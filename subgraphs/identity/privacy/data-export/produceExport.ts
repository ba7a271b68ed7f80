import type { ClientSession } from 'mongoose';
import { reads, type ScopedCollection, scoped } from '../../../platform/installation/scoped.ts';
import type { JobRun } from '../../../platform/jobs/Job.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { StoredFile } from '../../../platform/storage/Storage.ts';
import { dayMs } from '../../../platform/time/durations.ts';
import type { ExportPart } from '../../kernel/personal-data/PersonalData.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { UserModel, type UserRecord } from '../../people/user/model.ts';
import { archiveKey, archiveType } from './archiveOf.ts';
import { DataExportModel, type DataExportRecord } from './model.ts';
import { sourcesOf } from './states.ts';
import { archiveFileCount, writeArchive } from './writeArchive.ts';

const keptMs = 7 * dayMs;
/** An export record outlives its archive by this time, so that a late request learns what happened. */
const rememberedMs = 90 * dayMs;
const mostAttempts = 10;

/**
 * Creates the archive of one export from the beginning, and replaces what an earlier run has written. Every write names
 * this run's fencing token, so a run that was taken over has no further effect.
 */
export async function produceExport(
  run: JobRun,
  { _id, installationId }: DataExportRecord,
  parts: readonly ExportPart[],
): Promise<void> {
  const progress = { done: 0, total: archiveFileCount(parts) };
  const claimed = await claim(run, scoped(DataExportModel, installationId), { _id, progress });
  if (!claimed) return;
  const user = await reads(UserModel, installationId).findOne({ _id: claimed.userId });
  // An erased account has nothing to export, and no recipient.
  if (!user || user.state === 'deleted' || claimed.attempts > mostAttempts) return giveUp(run, claimed);
  const file = await makeArchive(run, { record: claimed, user, parts });
  await finish(run, claimed, user, file);
}

/** Claims the export. Returns null if it is done or a later run has claimed it. */
function claim(
  { fence }: JobRun,
  exports: ScopedCollection<DataExportRecord>,
  { _id, progress }: Pick<DataExportRecord, '_id' | 'progress'>,
): Promise<DataExportRecord | null> {
  return exports.findOneAndUpdate(
    { _id, state: { $in: sourcesOf('running', 'worker') }, fence: { $lte: fence } },
    {
      $set: { state: 'running', fence, progress },
      $inc: { attempts: 1 },
    },
  );
}

function makeArchive(
  run: JobRun,
  { record, user, parts }: { record: DataExportRecord; user: UserRecord; parts: readonly ExportPart[] },
): Promise<StoredFile> {
  const { platform, signal } = run;
  const { installationId } = record;
  const at = new Date(platform.now());
  return writeArchive(
    {
      subject: { installationId, user },
      parts,
      name: platform.installations.findById(installationId)?.name ?? '',
      at,
      async onProgress(done) {
        await run.assertHeld();
        await change(run, record, { 'progress.done': done });
      },
    },
    (bytes) => platform.storage.put(archiveKey(record), bytes, { contentType: archiveType, signal }),
  );
}

async function finish(
  run: JobRun,
  record: DataExportRecord,
  { email: to, locale, displayName }: UserRecord,
  { byteSize, sha256 }: StoredFile,
): Promise<void> {
  const { platform } = run;
  const readyAt = new Date(platform.now());
  const expiresAt = new Date(readyAt.getTime() + keptMs);
  const removeAt = new Date(expiresAt.getTime() + rememberedMs);
  await inTransaction(async (session) => {
    await change(run, record, { state: 'ready', byteSize, sha256, readyAt, expiresAt, removeAt }, session);
    const data = { displayName, expiresAt: expiresAt.toISOString() };
    const { installationId } = record;
    await queueMail(
      { installationId, platform },
      { to, locale, template: 'dataExportReady', data },
      { session },
    );
  });
}

async function giveUp(run: JobRun, record: DataExportRecord): Promise<void> {
  const removeAt = new Date(run.platform.now() + rememberedMs);
  await change(run, record, { state: 'failed', removeAt });
  await run.platform.storage.delete(archiveKey(record));
}

/**
 * Updates the export.
 *
 * @throws Error if another run has taken the export over
 */
async function change(
  { fence }: JobRun,
  { _id, installationId }: DataExportRecord,
  members: object,
  session?: ClientSession,
): Promise<void> {
  const changed = await scoped(DataExportModel, installationId).findOneAndUpdate(
    { _id, state: 'running', fence },
    { $set: members },
    { session },
  );
  if (!changed) throw new Error(`The export ${_id} was taken over by another run.`);
}
