import { damaged } from '../MediaFailure.ts';
import type { ImageFacts } from './ImageFacts.ts';
import { type Box, readBoxes } from './readBoxes.ts';

/**
 * Reads sizes and frames of an AVIF file from its index (ISO/IEC 23008-12; AV1 Image File Format).
 *
 * @throws UnfitBytes if it is truncated or not an AVIF file
 */
export function inspectAvif(bytes: Buffer): ImageFacts {
  const boxes = readBoxes(bytes);
  const meta = boxes.find(({ type }) => type === 'meta');
  if (!meta || !boxes.some(({ type }) => type === 'mdat')) throw damaged('image');
  const asides = boxes
    .filter(({ type }) => !['ftyp', 'meta', 'mdat', 'moov'].includes(type))
    .map(({ start, end }) => bytes.subarray(start, end));
  const { width, height } = largestOf(bytes, meta);
  const moov = boxes.find(({ type }) => type === 'moov');
  const frames = moov ? Math.max(1, countSamples(bytes, moov)) : 1;
  // Boxes cover the file to its end, so no bytes follow them.
  return { width, height, frames, asides, tail: Buffer.alloc(0) };
}

/** Returns the size of the image. Tiles of a grid and thumbnails also state sizes; the largest one is the image. */
function largestOf(bytes: Buffer, meta: Box): { width: number; height: number } {
  let largest = { width: 0, height: 0 };
  // The boxes of `meta` follow its version and flags.
  const properties = descend(bytes, { ...meta, start: meta.start + 4 }, ['iprp', 'ipco']);
  for (const { type, start, end } of properties.flatMap((box) => readBoxes(bytes, box.start, box.end))) {
    if (type !== 'ispe' || end - start < 12) continue;
    const size = { width: bytes.readUInt32BE(start + 4), height: bytes.readUInt32BE(start + 8) };
    if (size.width * size.height > largest.width * largest.height) largest = size;
  }
  if (largest.width === 0 || largest.height === 0) throw damaged('image');
  return largest;
}

/** Counts the frames of the longest track of an image sequence. */
function countSamples(bytes: Buffer, moov: Box): number {
  const counts = descend(bytes, moov, ['trak', 'mdia', 'minf', 'stbl', 'stsz']).map(({ start, end }) => {
    if (end - start < 12) throw damaged('image');
    return bytes.readUInt32BE(start + 8);
  });
  return Math.max(0, ...counts);
}

/** Returns every box at this path. */
function descend(bytes: Buffer, from: Box, path: readonly string[]): Box[] {
  return path.reduce<Box[]>(
    (boxes, wanted) =>
      boxes.flatMap(({ start, end }) => readBoxes(bytes, start, end)).filter(({ type }) => type === wanted),
    [from],
  );
}
