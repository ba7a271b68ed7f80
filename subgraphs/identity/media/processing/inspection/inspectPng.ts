import { damaged, truncated } from '../MediaFailure.ts';
import type { ImageFacts } from './ImageFacts.ts';

const signatureSize = 8;
/** Bytes of length, type and checksum of a chunk. */
const chunkFrame = 12;
const pixels: ReadonlySet<string> = new Set(['IDAT', 'fdAT']);

/**
 * Parses the chunks of a PNG from `IHDR` to `IEND` (W3C PNG, 5 and 11; animations: `acTL`, `fcTL`).
 *
 * @throws UnfitBytes if it is truncated or not a PNG
 */
export function inspectPng(bytes: Buffer): ImageFacts {
  const header = readChunk(bytes, signatureSize);
  if (header.type !== 'IHDR' || header.content.length !== 13) throw damaged('image');
  const [width, height] = [header.content.readUInt32BE(0), header.content.readUInt32BE(4)];
  if (width === 0 || height === 0) throw damaged('image');
  const asides: Buffer[] = [];
  let frames = 0;
  let hasPixels = false;
  for (let at = header.behind; ; ) {
    const { type, content, behind } = readChunk(bytes, at);
    at = behind;
    if (type === 'fcTL') frames += 1;
    if (type === 'IDAT') hasPixels = true;
    if (!pixels.has(type)) asides.push(content);
    if (type !== 'IEND') continue;
    if (!hasPixels) throw damaged('image');
    return { width, height, frames: Math.max(1, frames), asides, tail: bytes.subarray(at) };
  }
}

function readChunk(bytes: Buffer, at: number): { type: string; content: Buffer; behind: number } {
  if (at + chunkFrame > bytes.length) throw truncated('image');
  const length = bytes.readUInt32BE(at);
  const type = bytes.toString('latin1', at + 4, at + 8);
  if (!/^[A-Za-z]{4}$/.test(type)) throw damaged('image');
  const behind = at + chunkFrame + length;
  if (behind > bytes.length) throw truncated('image');
  return { type, content: bytes.subarray(at + 8, at + 8 + length), behind };
}
