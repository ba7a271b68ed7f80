import type { Readable } from 'node:stream';
import type { InstallationContext } from '../../../platform/context/InstallationContext.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { insertOnce } from '../../../platform/installation/insertOnce.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { toFileName } from '../fileName.ts';
import { mediaTypes, uploadLifeMs } from '../limits.ts';
import { MediaModel, type MediaRecord, newMedia } from '../model.ts';
import { acceptBytes } from './acceptBytes.ts';

/** A file whose bytes are available in this process. */
export interface StreamedMedia {
  /** Id of the file; a new id by default. A repeated id returns the file of an earlier run. */
  id?: string;
  owner: MediaRecord['owner'];
  purpose: MediaRecord['purpose'];
  filename: string;
  /** Declared type; processing checks the bytes. */
  contentType: string;
  altText?: string | null;
  /** Stream of the bytes. It is destroyed if it is not needed. */
  bytes: Readable;
  signal?: AbortSignal;
}

/**
 * Creates a file from bytes that are available in this process, such as an imported image. Stores the bytes once for
 * each owner, and starts processing. The caller has checked permissions and quotas.
 *
 * @throws AppError `file_too_large`, and errors of the source; then no file is created
 */
export async function createMediaFromStream(
  place: InstallationContext,
  streamed: StreamedMedia,
): Promise<MediaRecord> {
  const { bytes, signal } = streamed;
  const record = await insert(place, streamed);
  try {
    return await acceptBytes(place, record, bytes, signal ? { signal } : {});
  } catch (error) {
    await scoped(MediaModel, place.installationId).deleteMany({ _id: record._id, state: 'awaiting_upload' });
    throw error;
  }
}

async function insert(
  { installationId, platform }: InstallationContext,
  streamed: StreamedMedia,
): Promise<MediaRecord> {
  const { id: _id = newId('media'), owner, purpose, contentType, altText = null } = streamed;
  const at = platform.now();
  const media = newMedia({
    _id,
    owner,
    purpose,
    kind: mediaTypes[contentType] ?? 'image',
    state: 'awaiting_upload',
    filename: toFileName(streamed.filename) || 'file',
    contentType,
    byteSize: 0,
    altText,
    upload: { byteSize: null, sha256: null, contentType, expiresAt: new Date(at + uploadLifeMs) },
    createdAt: new Date(at),
  });
  const { record } = await insertOnce(scoped(MediaModel, installationId), media);
  return record;
}
