import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import type { StoredFile } from '../../../platform/storage/Storage.ts';
import { assertOwnerMayChange } from '../assertOwnerMayChange.ts';
import type { MediaRecord } from '../model.ts';
import { mediaPolicy } from '../policy.ts';
import { uploadKey } from '../storageKeys.ts';
import { acceptBytes } from './acceptBytes.ts';
import { chargeBytes } from './chargeBytes.ts';

/** Completes an upload. Idempotent: a repeated call returns the current state of the file. */
export async function completeMediaUpload(
  { mediaId }: { mediaId: string },
  context: RequestContext,
): Promise<MediaRecord> {
  const { platform } = context;
  const record = await mediaPolicy.load(mediaId, context);
  if (!record) throw notFound('The file');
  await assertOwnerMayChange(record, context);
  if (record.state === 'failed' && record.sha256 === null) throw uploadExpired();
  if (record.state !== 'awaiting_upload') return record;
  if (!record.upload || record.upload.expiresAt.getTime() <= platform.now()) throw uploadExpired();
  const key = uploadKey(record);
  const arrived = await platform.storage.open(key);
  if (!arrived) {
    throw new AppError('upload_missing', 'The upload of this file is missing or incomplete.');
  }
  const isCharged = record.upload.byteSize !== null;
  // Continues after the client disconnects, so that a retry finds it completed.
  const charge = ({ byteSize }: StoredFile) => chargeBytes(context, byteSize);
  const accepted = await acceptBytes(context, record, arrived.stream, isCharged ? {} : { admit: charge });
  if (accepted.state !== 'awaiting_upload') await platform.storage.delete(key);
  return accepted;
}

function uploadExpired(): AppError {
  return new AppError('upload_expired', 'The upload has expired. Create the file again.');
}
