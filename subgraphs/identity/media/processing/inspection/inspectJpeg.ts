import { damaged, truncated } from '../MediaFailure.ts';
import type { ImageFacts } from './ImageFacts.ts';

const startOfScan = 0xda;
const endOfImage = 0xd9;

/**
 * Markers within the range of frames that are tables, extensions or arithmetic conditioning (ITU-T T.81, table B.1).
 */
const notFrames: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc]);

/**
 * Parses the segments of a JPEG up to the end of the image (ITU-T T.81, annex B).
 *
 * @throws UnfitBytes if it is truncated or not a JPEG
 */
export function inspectJpeg(bytes: Buffer): ImageFacts {
  let size: { width: number; height: number } | undefined;
  const asides: Buffer[] = [];
  let at = 2;
  for (;;) {
    const { marker, behind } = readMarker(bytes, at);
    if (marker === endOfImage) {
      if (!size) throw damaged('image');
      return { ...size, frames: 1, asides, tail: bytes.subarray(behind) };
    }
    const content = readSegment(bytes, behind);
    at = behind + 2 + content.length;
    if (marker >= 0xe0) asides.push(content);
    if (isFrame(marker)) {
      // A second frame would define a second size.
      if (size) throw damaged('image');
      size = readFrame(content);
    }
    if (marker === startOfScan) at = findScanEnd(bytes, at);
  }
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && !notFrames.has(marker);
}

/** Reads a marker, which any number of fill bytes may precede. */
function readMarker(bytes: Buffer, start: number): { marker: number; behind: number } {
  let at = start;
  if (at < bytes.length && bytes[at] !== 0xff) throw damaged('image');
  while (bytes[at] === 0xff) at += 1;
  const marker = bytes[at];
  if (marker === undefined) throw truncated('image');
  if (marker < 0xc0 || marker === 0xd8) throw damaged('image');
  return { marker, behind: at + 1 };
}

function readSegment(bytes: Buffer, at: number): Buffer {
  if (at + 2 > bytes.length) throw truncated('image');
  const length = bytes.readUInt16BE(at);
  if (length < 2) throw damaged('image');
  if (at + length > bytes.length) throw truncated('image');
  return bytes.subarray(at + 2, at + length);
}

function readFrame(content: Buffer): { width: number; height: number } {
  if (content.length < 6) throw damaged('image');
  const [height, width] = [content.readUInt16BE(1), content.readUInt16BE(3)];
  if (width === 0 || height === 0) throw damaged('image');
  return { width, height };
}

/** Returns the end of the compressed pixels, which contain stuffed zeros and restart markers. */
function findScanEnd(bytes: Buffer, start: number): number {
  for (let at = start; ; ) {
    at = bytes.indexOf(0xff, at);
    const next = at < 0 ? undefined : bytes[at + 1];
    if (next === undefined) throw truncated('image');
    const goesOn = next === 0 || (next >= 0xd0 && next <= 0xd7);
    if (!goesOn && next !== 0xff) return at;
    at += goesOn ? 2 : 1;
  }
}
