import { createHash } from 'node:crypto';
import { addAbortSignal, type Readable } from 'node:stream';
import type { StoredFile } from './Storage.ts';

/** Bytes on their way, and what they were once they are through. */
export interface MeasuredBytes {
  chunks: AsyncIterable<Buffer>;
  result(): StoredFile;
}

/**
 * Counts and hashes bytes while they are read.
 *
 * @param signal destroys the source, so that the reader fails at once, also while the source is silent
 */
export function measureBytes(bytes: Readable, signal?: AbortSignal): MeasuredBytes {
  const hash = createHash('sha256');
  let byteSize = 0;
  async function* take(): AsyncGenerator<Buffer> {
    for await (const chunk of signal ? addAbortSignal(signal, bytes) : bytes) {
      hash.update(chunk as Buffer);
      byteSize += (chunk as Buffer).length;
      yield chunk as Buffer;
    }
  }
  return { chunks: take(), result: () => ({ byteSize, sha256: hash.digest('hex') }) };
}
