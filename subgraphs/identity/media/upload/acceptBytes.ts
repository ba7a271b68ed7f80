import { randomBytes } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import type { ClientSession } from 'mongoose';
import type { InstallationContext } from '../../../platform/context/InstallationContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { StoredFile } from '../../../platform/storage/Storage.ts';
import { blockedContent, blockId, MediaBlockModel } from '../blockModel.ts';
import { mediaLimits } from '../mediaLimits.ts';
import { MediaModel, type MediaRecord, mediaProcessingJob } from '../model.ts';
import { nextState } from '../states.ts';
import { originalKey } from '../storageKeys.ts';

/**
 * Stores the bytes of a file that awaits them under a unique name, and starts processing. Of several concurrent calls,
 * one has an effect. Bytes that the owner already has are not stored twice.
 *
 * @param admit called after the bytes were counted and match the declaration; it throws to refuse them
 * @returns the record afterwards, which another caller may have changed first
 * @throws AppError `checksum_mismatch`, `file_too_large`; the file still awaits its bytes
 */
export async function acceptBytes(
  place: InstallationContext,
  record: MediaRecord,
  bytes: Readable,
  { admit, signal }: { admit?: (file: StoredFile) => Promise<void>; signal?: AbortSignal } = {},
): Promise<MediaRecord> {
  const { installationId } = place;
  const media = scoped(MediaModel, installationId);
  const name = `${record._id}-${randomBytes(8).toString('hex')}`;
  const awaited = { _id: record._id, state: 'awaiting_upload' as const };
  // Recorded first, so that the bytes are found after a crash.
  if (!(await media.findOneAndUpdate(awaited, { $push: { drafts: name } }))) {
    bytes.destroy();
    return reload(place, record);
  }
  const key = originalKey(installationId, name);
  let accepted: MediaRecord | null = null;
  try {
    const file = await store(place, key, record, bytes, signal);
    assertDeclared(record, file);
    await admit?.(file);
    accepted = await settle(place, record, name, file);
  } finally {
    // Another call was first, the owner already has the bytes, or they do not match the declaration.
    if (accepted?.original !== name) await discard(place, record, name);
  }
  return accepted ?? reload(place, record);
}

async function store(
  { platform }: InstallationContext,
  key: string,
  { kind, contentType }: MediaRecord,
  bytes: Readable,
  signal: AbortSignal | undefined,
): Promise<StoredFile> {
  const limited = limitBytes(mediaLimits.byteSize[kind]);
  bytes.on('error', (error) => limited.destroy(error));
  limited.on('close', () => bytes.destroy());
  return platform.storage.put(key, bytes.pipe(limited), { contentType, ...(signal ? { signal } : {}) });
}

/** Returns a stream that passes bytes on, and fails if they exceed the limit. */
function limitBytes(most: number): Transform {
  let passed = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length;
      if (passed > most) done(tooLarge(most));
      else done(null, chunk);
    },
  });
  // The reader gets the error. Before the first read there is no listener, and an unhandled error would end the
  // process.
  return stream.on('error', () => undefined);
}

/** Returns the 413 for a file, with the maximum number of bytes. */
export function tooLarge(most: number): AppError {
  return new AppError('file_too_large', `A file for this purpose must have at most ${most} bytes.`);
}

function assertDeclared({ upload }: MediaRecord, file: StoredFile): void {
  if (upload?.byteSize !== null && upload?.byteSize !== file.byteSize)
    throw new AppError(
      'checksum_mismatch',
      `The upload has ${file.byteSize} bytes, but ${upload?.byteSize} were declared.`,
    );
  if (upload.sha256 !== null && upload.sha256 !== file.sha256)
    throw new AppError('checksum_mismatch', 'The SHA-256 of the upload differs from the declared one.');
}

/** Finalizes the upload. Returns null if another call was first. */
async function settle(
  place: InstallationContext,
  record: MediaRecord,
  name: string,
  file: StoredFile,
): Promise<MediaRecord | null> {
  const accepted = await inTransaction(async (session) => {
    const twin = await findTwin(place, record.owner.id, file.sha256, session);
    return begin(place, record, { ...file, original: twin?.original ?? name }, session);
  });
  return accepted && (await refuseBlocked(place, accepted));
}

/** Returns a file of the owner with the same bytes; null if there is none. */
export function findTwin(
  { installationId }: InstallationContext,
  ownerId: string,
  sha256: string,
  session?: ClientSession,
): Promise<MediaRecord | null> {
  return scoped(MediaModel, installationId).findOne(
    { sha256, 'owner.id': ownerId, state: { $in: ['processing', 'ready'] }, original: { $ne: null } },
    session ? { session } : {},
  );
}

/** Starts processing a file that awaits its bytes. */
export async function begin(
  { installationId, platform }: InstallationContext,
  { _id }: MediaRecord,
  { byteSize, sha256, original }: StoredFile & { original: string },
  session: ClientSession,
): Promise<MediaRecord | null> {
  const at = new Date(platform.now());
  const state = nextState('awaiting_upload', 'completeMediaUpload', 'completed');
  const record = await scoped(MediaModel, installationId).findOneAndUpdate(
    { _id, state: 'awaiting_upload' },
    {
      $set: { state, byteSize, sha256, original, attempts: 0, stateAt: at, updatedAt: at },
      $pull: { drafts: original },
      $inc: { version: 1 },
    },
    { session },
  );
  if (record) platform.signals.send(mediaProcessingJob, { session });
  return record;
}

/**
 * Refuses blocked bytes. Checked after the file has entered processing, whereas a block stores the digest before it
 * looks for files. One of the two therefore sees the other.
 */
export async function refuseBlocked(place: InstallationContext, record: MediaRecord): Promise<MediaRecord> {
  const { installationId, platform } = place;
  const _id = blockId(installationId, record.sha256 ?? '');
  if (!(await scoped(MediaBlockModel, installationId).findOne({ _id }))) return record;
  const at = new Date(platform.now());
  const refused = await scoped(MediaModel, installationId).findOneAndUpdate(
    { _id: record._id, state: 'processing' },
    {
      $set: {
        state: nextState('processing', 'mediaFailure', 'refused'),
        failure: blockedContent,
        stateAt: at,
        updatedAt: at,
      },
      $inc: { version: 1 },
    },
  );
  return refused ?? record;
}

async function discard(
  { installationId, platform }: InstallationContext,
  { _id }: MediaRecord,
  name: string,
): Promise<void> {
  await platform.storage.delete(originalKey(installationId, name));
  await scoped(MediaModel, installationId).findOneAndUpdate({ _id }, { $pull: { drafts: name } });
}

async function reload({ installationId }: InstallationContext, record: MediaRecord): Promise<MediaRecord> {
  return (await scoped(MediaModel, installationId).findOne({ _id: record._id })) ?? record;
}
