import { availableParallelism } from 'node:os';
import type { Storage } from '../../../platform/storage/Storage.ts';
import { kindsOf } from '../limits.ts';
import type { MediaRecord } from '../model.ts';
import { originalKey } from '../storageKeys.ts';
import { IsolatedRenderer } from './IsolatedRenderer.ts';
import { sourceOfStorage } from './inspection/ByteSource.ts';
import { type Inspection, inspectBytes, sniffType } from './inspection/inspectBytes.ts';
import { type MediaFailure, UnfitBytes } from './MediaFailure.ts';
import type { RenderedImage } from './renderImage.ts';
import { withOriginal } from './withOriginal.ts';

/** Result of processing a file. */
export interface Examined {
  inspection: Inspection;
  /** Null if it is not an image. Its files exist only while `take` runs. */
  image: RenderedImage | null;
}

/** Leaves one processor for other work. A process uses at most half a gigabyte for a typical photo. */
const renderProcesses = Math.max(1, Math.min(availableParallelism() - 1, 3));

const renderer = new IsolatedRenderer({ processes: renderProcesses });

/** Number of files that are processed concurrently. */
export const atOnce = renderProcesses;

export interface ExamineOptions {
  storage: Storage;
  signal: AbortSignal;
  /** Called before untrusted bytes are decoded. The file may cause any later failure. */
  onBegin(): Promise<void>;
}

/**
 * Inspects the bytes of a file and creates its renditions. For a video, only the index is read from the store. Other
 * files are small enough to be processed in a separate process.
 *
 * @param take receives the result while its files exist
 * @throws Error that may not recur at the next attempt: of the store, or of the process
 */
export async function examine<T>(
  { installationId, original, byteSize, rotation, purpose }: MediaRecord,
  { storage, signal, onBegin }: ExamineOptions,
  take: (result: Examined | { failure: MediaFailure }) => Promise<T>,
): Promise<T> {
  const key = originalKey(installationId, original ?? '');
  const source = sourceOfStorage(storage, key, byteSize);
  if (await isVideo(source)) {
    const inspection = await inspectBytes(source);
    return take('failure' in inspection ? inspection : checkPurpose({ inspection, image: null }, purpose));
  }
  return withOriginal(storage, key, signal, async (local) => {
    await onBegin();
    const reply = await renderer.render({ ...local, rotation }, signal);
    if ('error' in reply) throw new Error(`A file could not be processed: ${reply.error}.`);
    return take('failure' in reply ? reply : checkPurpose(reply, purpose));
  });
}

async function isVideo(source: Parameters<typeof sniffType>[0]): Promise<boolean> {
  try {
    return (await sniffType(source)) === 'video/mp4';
  } catch (error) {
    // The inspection reports the error.
    if (error instanceof UnfitBytes) return false;
    throw error;
  }
}

/** Checks the purpose again with the detected type, because the declared type may be wrong. */
function checkPurpose(
  examined: Examined,
  purpose: MediaRecord['purpose'],
): Examined | { failure: MediaFailure } {
  const { kind } = examined.inspection;
  if (kindsOf[purpose].includes(kind)) return examined;
  const taken = kindsOf[purpose].map((one) => `${one}s`).join(' and ');
  return {
    failure: {
      code: 'unsupported_type',
      detail: `The purpose "${purpose}" accepts ${taken}, but the file has another type.`,
    },
  };
}
