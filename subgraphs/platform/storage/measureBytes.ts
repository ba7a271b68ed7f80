import { createHash } from 'node:crypto';
import { addAbortSignal, type Readable } from 'node:stream';
import type { StoredFile } from './Storage.ts';

/** Bytes in transit, and their measurements afterwards. */
export interface MeasuredBytes {
  chunks: AsyncIterable<Buffer>;
  result(): StoredFile;
}

/**
 * Counts and hashes bytes while they are read.
 *
 * @param signal destroys the source, so that the reader fails immediately, even while the source is idle
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
