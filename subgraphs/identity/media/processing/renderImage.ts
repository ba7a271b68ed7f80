import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { encode } from 'blurhash';
import sharp, { type OutputInfo, type Sharp } from 'sharp';
import { mediaLimits } from '../mediaLimits.ts';
import type { MediaRecord, StoredRendition } from '../model.ts';

/** An image to render. */
export interface RenderTask {
  /** Path of the original. */
  file: string;
  /** Empty folder for the renditions, exclusive to this process. */
  folder: string;
  rotation: MediaRecord['rotation'];
}

/** Renditions of an image. */
export interface RenderedImage {
  /** Pixels of the upright image. */
  width: number;
  height: number;
  blurHash: string;
  dominantColor: string;
  /** Renditions by name. If an image is narrower than several widths, these names share the same bytes. */
  renditions: (StoredRendition & { file: string })[];
}

/** Raw pixels with their description for sharp. */
interface Pixels {
  data: Buffer;
  info: OutputInfo;
}

const widths = { large: 1920, medium: 1280, small: 640, thumb: 320 } as const;
/** Maximum side of a WebP image (RFC 9649, 1). */
const mostHeight = 16_383;

const encoders = {
  webp: (image: Sharp) => image.webp({ quality: 80, effort: 4 }),
  // JPEG has no transparency, which would become black.
  jpeg: (image: Sharp) => image.flatten({ background: '#ffffff' }).jpeg({ quality: 82, progressive: true }),
} as const;

/**
 * Renders every rendition of an image: upright by its EXIF orientation, then rotated, in sRGB, without metadata, and
 * never enlarged. The original is decoded once to the largest rendition, from which the others are derived.
 *
 * @throws Error of the decoder for an incomplete image
 */
export async function renderImage({ file, folder, rotation }: RenderTask): Promise<RenderedImage> {
  const original = sharp(file, { limitInputPixels: mediaLimits.pixels, failOn: 'error' });
  const { autoOrient } = await original.metadata();
  const isTurned = rotation % 180 !== 0;
  const largest = await original
    .autoOrient()
    .rotate(rotation)
    .resize({ width: widths.large, height: mostHeight, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    width: isTurned ? autoOrient.height : autoOrient.width,
    height: isTurned ? autoOrient.width : autoOrient.height,
    ...(await describe(largest)),
    renditions: await writeRenditions(largest, folder),
  };
}

function imageOf({ data, info: { width, height, channels } }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}

async function writeRenditions(largest: Pixels, folder: string): Promise<RenderedImage['renditions']> {
  const made = new Map<string, Promise<RenderedImage['renditions'][number]>>();
  const all: RenderedImage['renditions'] = [];
  for (const [name, mostWidth] of Object.entries(widths) as [StoredRendition['name'], number][]) {
    const width = Math.min(mostWidth, largest.info.width);
    for (const format of ['webp', 'jpeg'] as const) {
      const same = made.get(`${width} ${format}`) ?? write(largest, { name, format, width }, folder);
      made.set(`${width} ${format}`, same);
      all.push({ ...(await same), name });
    }
  }
  return all;
}

async function write(
  largest: Pixels,
  { name, format, width }: Pick<StoredRendition, 'name' | 'format' | 'width'>,
  folder: string,
): Promise<RenderedImage['renditions'][number]> {
  const image = imageOf(largest);
  const resized = width === largest.info.width ? image : image.resize({ width });
  const { data, info } = await encoders[format](resized).toBuffer({ resolveWithObject: true });
  const sha256 = createHash('sha256').update(data).digest('hex');
  const file = path.join(folder, `${sha256}.${format}`);
  await writeFile(file, data, { mode: 0o600 });
  return { name, format, width: info.width, height: info.height, byteSize: data.length, sha256, file };
}

/** Returns the placeholder until the image is loaded: a blurred preview and a color. */
async function describe(largest: Pixels): Promise<Pick<RenderedImage, 'blurHash' | 'dominantColor'>> {
  const { data, info } = await imageOf(largest)
    .flatten({ background: '#ffffff' })
    .resize({ width: 64, height: 64, fit: 'inside' })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { dominant } = await imageOf({ data, info }).stats();
  const opaque = await imageOf({ data, info }).ensureAlpha().raw().toBuffer();
  const [across, down] = info.width >= info.height ? [4, 3] : [3, 4];
  return {
    blurHash: encode(new Uint8ClampedArray(opaque), info.width, info.height, across, down),
    dominantColor: `#${[dominant.r, dominant.g, dominant.b].map((part) => part.toString(16).padStart(2, '0')).join('')}`,
  };
}
