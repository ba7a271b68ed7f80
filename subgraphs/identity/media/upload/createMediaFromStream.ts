import type { Readable } from 'node:stream';
import type { InstallationContext } from '../../../platform/context/InstallationContext.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { insertOnce } from '../../../platform/installation/insertOnce.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { toFileName } from '../fileName.ts';
import { mediaTypes, uploadLifeMs } from '../limits.ts';
import { MediaModel, type MediaRecord, newMedia } from '../model.ts';
import { acceptBytes } from './acceptBytes.ts';

/** A file whose bytes this process has. */
export interface StreamedMedia {
  /** Id of the file: the same id finds the file of an earlier run. Default: a new id. */
  id?: string;
  owner: MediaRecord['owner'];
  purpose: MediaRecord['purpose'];
  filename: string;
  /** As declared; processing checks the bytes. */
  contentType: string;
  altText?: string | null;
  /** Destroyed if it is not needed. */
  bytes: Readable;
  signal?: AbortSignal;
}

/**
 * Makes a file of bytes that this process has, such as an imported picture: stores them, once for an owner, and hands
 * them to processing. Rights and budgets are checked by the caller.
 *
 * @throws AppError `file_too_large`, and whatever the source throws; then there is no file
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
