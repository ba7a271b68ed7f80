import type { ClientSession } from 'mongoose';
import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { dayMs } from '../../../platform/time/durations.ts';
import type { RequestMyDataExportInput } from '../../identity.generated.ts';
import { noteExport } from '../../people/user/erasedUser.ts';
import { DataExportModel, type DataExportRecord } from './model.ts';

const pauseMs = dayMs;

/** Name of the job that creates the archives. */
export const dataExportsJob = 'identity.data-exports';

/**
 * Requests an export for the caller.
 *
 * @param total number of files in an archive
 */
export async function requestMyDataExport(
  input: RequestMyDataExportInput,
  context: RequestContext,
  total: number,
) {
  return { dataExport: await inTransaction((session) => enqueue(context, session, total)) };
}

/**
 * Queues an export. The user's own record is written first, so of concurrent requests the later ones find the first.
 */
async function enqueue(
  context: RequestContext,
  session: ClientSession,
  total: number,
): Promise<DataExportRecord> {
  const { installationId, platform, viewer, attempt } = context;
  const at = new Date(platform.now());
  const exports = scoped(DataExportModel, installationId);
  const _id = attempt.newId('dataExport');
  const latest = await exports.findOne({ userId: viewer.id }, { sort: { createdAt: -1, _id: -1 }, session });
  // A retry under the same key, after a crash.
  if (latest?._id === _id) return latest;
  await noteExport({ installationId, _id: viewer.id }, at, session);
  assertMayExport(latest, at);
  const record = await exports.insert(
    {
      _id,
      userId: viewer.id,
      state: 'queued',
      progress: { done: 0, total },
      attempts: 0,
      fence: 0,
      byteSize: null,
      sha256: null,
      createdAt: at,
      readyAt: null,
      expiresAt: null,
      removeAt: null,
    },
    { session },
  );
  const target = { type: 'dataExport', id: _id };
  await recordAudit(context, { action: 'requestMyDataExport', target }, { session });
  platform.signals.send(dataExportsJob, { session });
  return record;
}

function assertMayExport(latest: DataExportRecord | null, at: Date): void {
  if (!latest || latest.state === 'failed') return;
  if (latest.state === 'queued' || latest.state === 'running') {
    throw new AppError(
      'export_in_progress',
      'Your previous export is still in progress. Wait until it has finished.',
      {
        dataExportId: latest._id,
      },
    );
  }
  const waitMs = latest.createdAt.getTime() + pauseMs - at.getTime();
  if (waitMs <= 0) return;
  throw new AppError(
    'rate_limited',
    'Only one export is allowed in 24 hours. Download the previous one, or wait.',
    {
      retryAfter: Math.ceil(waitMs / 1000),
    },
  );
}
