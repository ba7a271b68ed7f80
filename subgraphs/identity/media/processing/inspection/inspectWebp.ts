import { damaged, truncated } from '../MediaFailure.ts';
import type { ImageFacts } from './ImageFacts.ts';

const pixels: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'ALPH', 'ANMF']);

/**
 * Parses the chunks of a WebP file (RFC 9649, 2).
 *
 * @throws UnfitBytes if it is truncated or not a WebP file
 */
export function inspectWebp(bytes: Buffer): ImageFacts {
  if (bytes.length < 20) throw truncated('image');
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) throw truncated('image');
  const asides: Buffer[] = [];
  const facts = { width: 0, height: 0, frames: 0 };
  for (let at = 12; at < end; ) {
    if (at + 8 > end) throw damaged('image');
    const type = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const content = bytes.subarray(at + 8, at + 8 + length);
    // A chunk of odd length is padded, but some encoders omit the padding at the end.
    at += 8 + length + (length % 2);
    if (at > end + 1) throw damaged('image');
    if (!pixels.has(type)) asides.push(content);
    if (type === 'ANMF') facts.frames += 1;
    const size = readSize(type, content);
    facts.width = Math.max(facts.width, size.width);
    facts.height = Math.max(facts.height, size.height);
  }
  if (facts.width === 0 || facts.height === 0) throw damaged('image');
  return { ...facts, frames: Math.max(1, facts.frames), asides, tail: bytes.subarray(end) };
}

/** Returns the size that a chunk states; 0 by 0 if it states none. */
function readSize(type: string, content: Buffer): { width: number; height: number } {
  if (type === 'VP8X') {
    if (content.length < 10) throw damaged('image');
    return { width: content.readUIntLE(4, 3) + 1, height: content.readUIntLE(7, 3) + 1 };
  }
  if (type === 'VP8 ') {
    // The size follows three bytes of frame tag and three of start code (RFC 6386, 9.1).
    if (content.length < 10 || content.readUIntBE(3, 3) !== 0x9d012a) throw damaged('image');
    return { width: content.readUInt16LE(6) & 0x3fff, height: content.readUInt16LE(8) & 0x3fff };
  }
  if (type === 'VP8L') {
    if (content.length < 5 || content[0] !== 0x2f) throw damaged('image');
    const bits = content.readUInt32LE(1);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return { width: 0, height: 0 };
}
