import { createHash } from 'node:crypto';

/** A body with the digest that S3 compares it with (`Content-MD5`, RFC 1864). */
export function bodyOf(bytes: Buffer): { Body: Buffer; ContentLength: number; ContentMD5: string } {
  return {
    Body: bytes,
    ContentLength: bytes.length,
    ContentMD5: createHash('md5').update(bytes).digest('base64'),
  };
}
