import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import type { UploadGrant } from '../../../subgraphs/platform/storage/uploadToken.ts';
import { Refusal } from '../Refusal.ts';

/** Requirements of the bytes of a file. */
export type ByteRules = Pick<UploadGrant, 'byteSize' | 'mostBytes' | 'sha256'>;

/**
 * Returns a stream that passes bytes on while they match the declaration, and completes only if they do. A store writes
 * it atomically, so it never contains other bytes.
 *
 * @throws (the stream) Refusal `file_too_large`, `checksum_mismatch`
 */
export function checkBytes({ byteSize, mostBytes, sha256 }: ByteRules): Transform {
  const hash = sha256 === null ? null : createHash('sha256');
  let passed = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length;
      hash?.update(chunk);
      const refusal = passed > mostBytes ? tooLarge(mostBytes) : checkSize(passed, byteSize, 'more');
      done(refusal, chunk);
    },
    flush(done) {
      const refusal = checkSize(passed, byteSize, 'fewer');
      const differs = hash !== null && hash.digest('hex') !== sha256;
      done(
        refusal ?? (differs ? mismatch('The SHA-256 of the upload differs from the declared one.') : null),
      );
    },
  });
  // The reader gets the error. Before the first read there is no listener, and an unhandled error would end the
  // process.
  return stream.on('error', () => undefined);
}

/** Returns the 413 for a file that exceeds the maximum of its kind. */
export function tooLarge(mostBytes: number): Refusal {
  return new Refusal('file_too_large', `A file for this purpose must have at most ${mostBytes} bytes.`);
}

function checkSize(passed: number, byteSize: number | null, word: 'more' | 'fewer'): Refusal | null {
  if (byteSize === null || (word === 'more' ? passed <= byteSize : passed >= byteSize)) return null;
  return mismatch(`${byteSize} bytes were declared, but ${word} were sent.`);
}

function mismatch(message: string): Refusal {
  return new Refusal('checksum_mismatch', message);
}
