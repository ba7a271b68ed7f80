import { mediaLimits } from '../../mediaLimits.ts';
import { damaged, truncated, UnfitBytes } from '../MediaFailure.ts';
import type { ByteSource } from './ByteSource.ts';
import { assertNoArchive } from './foreignContent.ts';
import { type Box, readBoxes, readBoxHead } from './readBoxes.ts';

/** Maximum number of sibling boxes in a file, because each costs a read. */
const mostBoxes = 2000;
/** Maximum size of an index in bytes. Ten minutes of video need a tenth of it. */
const longestIndex = 16 * 1024 * 1024;
/** Number of last bytes in which a ZIP archive would end. */
const tailSize = 65_557;

interface VideoFacts {
  durationMs: number;
  width?: number;
  height?: number;
}

/**
 * Reads duration and size of an MP4 video from its index, anywhere in the file (ISO/IEC 14496-12).
 *
 * @throws UnfitBytes if it is truncated, has no video track or is too long
 */
export async function inspectVideo(source: ByteSource): Promise<VideoFacts> {
  const boxes = await readTopBoxes(source);
  const index = boxes.find(({ type }) => type === 'moov');
  if (!index || !boxes.some(({ type }) => type === 'mdat')) throw truncated('video');
  if (index.end - index.start > longestIndex) throw damaged('video');
  assertNoArchive(await source.read(Math.max(0, source.byteSize - tailSize), tailSize));
  const facts = readIndex(await source.read(index.start, index.end - index.start));
  if (facts.durationMs > mediaLimits.videoDurationMs) {
    const minutes = mediaLimits.videoDurationMs / 60_000;
    throw new UnfitBytes('video_too_long', `A video must be at most ${minutes} minutes long. Shorten it.`);
  }
  return facts;
}

async function readTopBoxes(source: ByteSource): Promise<Box[]> {
  const boxes: Box[] = [];
  for (let at = 0; at < source.byteSize; ) {
    if (boxes.length === mostBoxes) throw damaged('video');
    const box = readBoxHead(await source.read(at, 16), at, source.byteSize);
    if (box.end > source.byteSize) throw truncated('video');
    boxes.push(box);
    at = box.end;
  }
  return boxes;
}

/**
 * Returns the size and the longest duration that movie, tracks and fragments state, because a player may use any of
 * them.
 */
function readIndex(index: Buffer): VideoFacts {
  const boxes = readBoxes(index);
  const durations = [
    ...boxes.filter(({ type }) => type === 'mvhd').map((box) => readDuration(index, box)),
    ...readFragmentDurations(index, boxes),
  ];
  let size: { width: number; height: number } | undefined;
  for (const track of boxes.filter(({ type }) => type === 'trak')) {
    const parts = readBoxes(index, track.start, track.end);
    const media = parts
      .filter(({ type }) => type === 'mdia')
      .flatMap(({ start, end }) => readBoxes(index, start, end));
    for (const box of media) if (box.type === 'mdhd') durations.push(readDuration(index, box));
    const header = parts.find(({ type }) => type === 'tkhd');
    if (header && isPicture(index, media)) size ??= readTrackSize(index, header);
  }
  const durationMs = Math.round(Math.max(0, ...durations));
  // Without a duration, the limit cannot be checked.
  if (!size || durationMs === 0) throw damaged('video');
  return { durationMs, ...(size.width > 0 && size.height > 0 ? size : {}) };
}

function isPicture(index: Buffer, media: readonly Box[]): boolean {
  return media.some(
    ({ type, start, end }) =>
      type === 'hdlr' && end - start >= 12 && index.toString('latin1', start + 8, start + 12) === 'vide',
  );
}

/**
 * Reads a duration. `mvhd` and `mdhd` both begin with times, ticks per second and ticks; version 1 uses 64 bits for the
 * long ones.
 */
function readDuration(index: Buffer, { start, end }: Box): number {
  const isLong = index[start] === 1;
  if (end - start < (isLong ? 32 : 20)) throw damaged('video');
  const scale = index.readUInt32BE(start + (isLong ? 20 : 12));
  if (scale === 0) throw damaged('video');
  if (isLong) {
    const ticks = index.readBigUInt64BE(start + 24);
    return ticks === 0xffff_ffff_ffff_ffffn ? 0 : (Number(ticks) * 1000) / scale;
  }
  const ticks = index.readUInt32BE(start + 16);
  return ticks === 0xffff_ffff ? 0 : (ticks * 1000) / scale;
}

/** Reads the duration of a fragmented movie from `mvex/mehd`, in ticks of the movie. */
function readFragmentDurations(index: Buffer, boxes: readonly Box[]): number[] {
  const movie = boxes.find(({ type }) => type === 'mvhd');
  if (!movie) throw damaged('video');
  const scale = index.readUInt32BE(movie.start + (index[movie.start] === 1 ? 20 : 12));
  return boxes
    .filter(({ type }) => type === 'mvex')
    .flatMap(({ start, end }) => readBoxes(index, start, end))
    .filter(({ type }) => type === 'mehd')
    .map(({ start, end }) => {
      const isLong = index[start] === 1;
      if (end - start < (isLong ? 12 : 8)) throw damaged('video');
      const ticks = isLong ? Number(index.readBigUInt64BE(start + 4)) : index.readUInt32BE(start + 4);
      return (ticks * 1000) / scale;
    });
}

/** Reads width and height at the end of a track header, as fixed-point numbers with 16 fractional bits. */
function readTrackSize(index: Buffer, { start, end }: Box): { width: number; height: number } {
  if (end - start < 84) throw damaged('video');
  return { width: index.readUInt16BE(end - 8), height: index.readUInt16BE(end - 4) };
}
