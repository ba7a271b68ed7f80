import { fileTypeFromBuffer } from 'file-type';
import { mediaLimits } from '../../mediaLimits.ts';
import { type MediaFailure, UnfitBytes } from '../MediaFailure.ts';
import type { ByteSource } from './ByteSource.ts';
import { assertHarmlessTail, assertNoArchive, assertNoForeignContent } from './foreignContent.ts';
import { inspectAvif } from './inspectAvif.ts';
import { inspectJpeg } from './inspectJpeg.ts';
import { inspectPdf } from './inspectPdf.ts';
import { inspectPng } from './inspectPng.ts';
import { inspectVideo } from './inspectVideo.ts';
import { inspectWebp } from './inspectWebp.ts';

/** Result of inspecting bytes. Their type is detected from the content, regardless of the declared type. */
export interface Inspection {
  mimeType: string;
  kind: 'image' | 'document' | 'video';
  /** Pixels as stored, before an orientation is applied. */
  width?: number;
  height?: number;
  /** Number of frames of an animation. */
  pages?: number;
  durationMs?: number;
}

export type InspectionResult = Inspection | { failure: MediaFailure };

/** Number of bytes that the type detection reads. */
const headSize = 4100;

const images = {
  'image/jpeg': inspectJpeg,
  'image/png': inspectPng,
  'image/webp': inspectWebp,
  'image/avif': inspectAvif,
} as const;

const takenTypes = 'Accepted are JPEG, PNG, WebP and AVIF images, PDF documents and MP4 videos';

/**
 * Inspects type, format and limits of a file without decoding it. An image that would unpack to gigabytes is refused by
 * its header. An image or document is read completely (20 MiB at most); of a video, only the index is read.
 *
 * @returns the type and metadata, or the reason for the refusal
 * @throws errors of reading
 */
export async function inspectBytes(source: ByteSource): Promise<InspectionResult> {
  try {
    return await inspect(source);
  } catch (error) {
    if (error instanceof UnfitBytes) return { failure: error.failure };
    throw error;
  }
}

/**
 * Returns the media type of a file by its first bytes.
 *
 * @throws UnfitBytes if it is not supported
 */
export async function sniffType(source: ByteSource): Promise<string> {
  const head = await source.read(0, headSize);
  const found = (await fileTypeFromBuffer(head))?.mime;
  const type = found === 'image/apng' ? 'image/png' : found;
  if (type === 'image/heif' && hasBrand(head, 'avif')) return 'image/avif';
  if (type !== undefined && (type in images || type === 'application/pdf' || type === 'video/mp4'))
    return type;
  throw refusalOf(type, head);
}

function refusalOf(type: string | undefined, head: Buffer): UnfitBytes {
  if (type?.startsWith('image/hei'))
    return new UnfitBytes(
      'heic_not_supported',
      'HEIC photos are not accepted. Convert the photo to JPEG, or set the camera to its most compatible format.',
    );
  // An SVG image may begin with comments and declarations of any length, but always contains markup.
  const text = head.toString('utf8').replace(/^\ufeff/, '');
  if (/<(?:[a-z][\w.-]{0,30}:)?svg[\s>/]/i.test(text) || (/^\s*<[?!]/.test(text) && !/<html/i.test(text)))
    return new UnfitBytes(
      'svg_not_allowed',
      'SVG and other markup are not accepted. Export the image as PNG or JPEG.',
    );
  return new UnfitBytes('unsupported_type', `This file type is not accepted. ${takenTypes}.`);
}

function hasBrand(head: Buffer, brand: string): boolean {
  const end = Math.min(head.length, head.readUInt32BE(0));
  for (let at = 16; at + 4 <= end; at += 4) if (head.toString('latin1', at, at + 4) === brand) return true;
  return false;
}

async function inspect(source: ByteSource): Promise<Inspection> {
  const mimeType = await sniffType(source);
  const kind = kindOf(mimeType);
  assertSize(source.byteSize, kind);
  if (kind === 'video') return { mimeType, kind, ...(await inspectVideo(source)) };
  const bytes = await source.read(0, source.byteSize);
  assertNoArchive(bytes);
  if (kind === 'document') {
    inspectPdf(bytes);
    return { mimeType, kind };
  }
  const { width, height, frames, asides, tail } = images[mimeType as keyof typeof images](bytes);
  assertNoForeignContent(asides);
  assertHarmlessTail(tail);
  assertPixels(width, height, frames);
  return { mimeType, kind, width, height, pages: frames };
}

function kindOf(mimeType: string): Inspection['kind'] {
  if (mimeType === 'application/pdf') return 'document';
  return mimeType === 'video/mp4' ? 'video' : 'image';
}

function assertSize(byteSize: number, kind: Inspection['kind']): void {
  const most = mediaLimits.byteSize[kind];
  if (byteSize > most)
    throw new UnfitBytes(
      'file_too_large',
      `A file of this type must have at most ${most / 1024 / 1024} MiB.`,
    );
}

function assertPixels(width: number, height: number, frames: number): void {
  const { pixels, side } = mediaLimits;
  if (width * height > pixels || Math.max(width, height) > side)
    throw new UnfitBytes(
      'image_too_large',
      `The image has ${width} x ${height} pixels. The maximum is ${pixels / 1_000_000} megapixels.`,
    );
  if (width * height * frames > pixels)
    throw new UnfitBytes(
      'animation_too_large',
      `The ${frames} frames of the image have more than ${pixels / 1_000_000} megapixels in total.`,
    );
}
