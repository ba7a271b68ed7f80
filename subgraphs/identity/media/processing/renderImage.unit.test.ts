import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { decode } from 'blurhash';
import sharp, { type Sharp } from 'sharp';
import { tempFolder } from '../../../../test/support/tempFolder.ts';
import { imagesOf, pictureOf } from './fixture/imagesOf.ts';
import { type RenderedImage, renderImage } from './renderImage.ts';

const folder = tempFolder();

async function render(bytes: Buffer, rotation: 0 | 90 | 180 | 270 = 0): Promise<RenderedImage> {
  const file = path.join(folder, 'original');
  await writeFile(file, bytes);
  return renderImage({ file, folder, rotation });
}

const find = (image: RenderedImage, name: string, format = 'webp') => {
  const found = image.renditions.find((one) => one.name === name && one.format === format);
  if (!found) throw new Error(`no ${name} in ${format}`);
  return found;
};

/** The mean difference of two images over all channels of all pixels, from 0 to 255. */
async function difference(one: string | Buffer, other: string | Buffer): Promise<number> {
  const [left, right] = await Promise.all(
    [one, other].map((image) => sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true })),
  );
  expect([left?.info.width, left?.info.height]).toEqual([right?.info.width, right?.info.height]);
  const sum = left?.data.reduce((total, value, at) => total + Math.abs(value - (right?.data[at] ?? 0)), 0);
  return (sum ?? 0) / (left?.data.length ?? 1);
}

/** The difference by lossy compression of two rotated versions of one picture, whose blocks are at other positions. */
const tolerance = 1.5;

function mirror(image: Sharp): Sharp {
  return image.flop();
}
function turn(degrees: number): (image: Sharp) => Sharp {
  return (image) => image.rotate(degrees);
}
async function store(upright: Buffer, orientation: number): Promise<Buffer> {
  let pixels = upright;
  for (const step of stored[orientation] ?? []) pixels = await step(sharp(pixels)).png().toBuffer();
  return sharp(pixels).withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer();
}

/** The steps from the upright picture to the stored pixels for each orientation (EXIF 2.32, 4.6.4 A). */
const stored: Record<number, readonly ((image: Sharp) => Sharp)[]> = {
  1: [],
  2: [mirror],
  3: [turn(180)],
  4: [turn(180), mirror],
  // The order of rotating and mirroring matters.
  5: [turn(90), mirror],
  6: [turn(270)],
  7: [turn(270), mirror],
  8: [turn(90)],
};

describe.each([
  ['landscape', 400, 240],
  ['portrait', 240, 400],
])('a photo in %s', (_, width, height) => {
  let upright: Buffer;
  beforeAll(async () => {
    upright = await pictureOf(width, height).png().toBuffer();
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('of orientation %d is rendered upright', async (orientation) => {
    const photo = await store(upright, orientation);
    expect((await sharp(photo).metadata()).orientation).toBe(orientation);
    const image = await render(photo);
    expect([image.width, image.height]).toEqual([width, height]);
    for (const format of ['webp', 'jpeg']) {
      const { file } = find(image, 'large', format);
      expect(await difference(file, upright)).toBeLessThan(tolerance);
      expect((await sharp(file).metadata()).orientation).toBeUndefined();
    }
  });

  test.each([
    ['no orientation', (photo: Buffer) => photo],
    ['an undefined orientation', (photo: Buffer) => withOrientation(photo, 9)],
    ['the orientation zero', (photo: Buffer) => withOrientation(photo, 0)],
  ])('with %s is rendered as stored', async (_case, change) => {
    const photo = change(await sharp(upright).jpeg({ quality: 95 }).toBuffer());
    const image = await render(photo);
    expect([image.width, image.height]).toEqual([width, height]);
    expect(await difference(find(image, 'large').file, upright)).toBeLessThan(tolerance);
  });

  test.each([90, 180, 270] as const)('is rotated by a further %d degrees', async (rotation) => {
    const image = await render(await store(upright, 6), rotation);
    const expected = await sharp(upright).rotate(rotation).png().toBuffer();
    expect(await difference(find(image, 'large').file, expected)).toBeLessThan(tolerance);
    expect([image.width, image.height]).toEqual(rotation === 180 ? [width, height] : [height, width]);
  });
});

/** A JPEG with an EXIF segment that states only this orientation. */
function withOrientation(photo: Buffer, orientation: number): Buffer {
  const exif = Buffer.concat([
    Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01', 'latin1'),
    Buffer.from([0, orientation, 0, 0, 0, 0, 0, 0]),
  ]);
  const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([photo.subarray(0, 2), head, exif, photo.subarray(2)]);
}

test('the EXIF segment of the test has the expected orientation', async () => {
  const photo = withOrientation(await pictureOf(40, 24).jpeg().toBuffer(), 6);
  expect(await render(photo)).toMatchObject({ width: 24, height: 40 });
});

test('renditions have the widths of their names, in both formats', async () => {
  const image = await render(await pictureOf(3000, 2000).jpeg().toBuffer());
  expect(image).toMatchObject({ width: 3000, height: 2000 });
  const sizes = image.renditions.map(({ name, format, width, height }) => [name, format, width, height]);
  expect(sizes).toEqual(
    (
      [
        ['large', 1920, 1280],
        ['medium', 1280, 853],
        ['small', 640, 427],
        ['thumb', 320, 213],
      ] as const
    ).flatMap(([name, ...size]) => [
      [name, 'webp', ...size],
      [name, 'jpeg', ...size],
    ]),
  );
  for (const { file, format, width, height, byteSize } of image.renditions) {
    const metadata = await sharp(file).metadata();
    expect([metadata.format, metadata.width, metadata.height]).toEqual([format, width, height]);
    expect((await readFile(file)).length).toBe(byteSize);
  }
});

test('no rendition is larger than its image, and equal renditions have the same bytes', async () => {
  const image = await render(await pictureOf(500, 300).jpeg().toBuffer());
  expect(image.renditions.map(({ width }) => width)).toEqual([500, 500, 500, 500, 500, 500, 320, 320]);
  expect(new Set(image.renditions.map(({ sha256 }) => sha256)).size).toBe(4);
});

test.each([
  [1, 1],
  [1, 5000],
  [40, 20_000],
])('an image of %d x %d pixels is rendered in all sizes', async (width, height) => {
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  const image = await render(bytes);
  expect(image).toMatchObject({ width, height, dominantColor: expect.stringMatching(/^#[0-9a-f]{6}$/) });
  expect(image.renditions).toHaveLength(8);
});

test('renditions contain no metadata, locations or color profiles', async () => {
  const photo = await pictureOf(800, 600)
    .withExif({ IFD0: { Copyright: 'SecretName' }, IFD3: { GPSLatitude: '51/1 30/1 3230/100' } })
    .withIccProfile('p3')
    .withXmp('<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/">SecretName</x:xmpmeta>')
    .jpeg()
    .toBuffer();
  expect(photo.includes('SecretName')).toBe(true);
  for (const { file } of (await render(photo)).renditions) {
    const { exif, icc, xmp, iptc, comments } = await sharp(file).metadata();
    expect([exif, icc, xmp, iptc, comments]).toEqual([undefined, undefined, undefined, undefined, undefined]);
    expect((await readFile(file)).includes('SecretName')).toBe(false);
  }
});

test('colors of a wide-gamut profile are converted to sRGB', async () => {
  const red = { create: { width: 64, height: 64, channels: 3, background: '#c83232' } } as const;
  const plain = await sharp(red).png().toBuffer();
  const wide = await sharp(red).withIccProfile('p3').png().toBuffer();
  const stats = async (bytes: Buffer | string) =>
    (await sharp(bytes).stats()).channels.map(({ mean }) => Math.round(mean));
  const shown = await stats(find(await render(wide), 'large').file);
  for (const [at, mean] of (await stats(plain)).entries())
    expect(Math.abs(mean - (shown[at] ?? 0))).toBeLessThanOrEqual(4);
});

test('transparent pixels stay transparent in WebP and are white in JPEG', async () => {
  const clear = { width: 64, height: 64, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } as const;
  const image = await render(await sharp({ create: clear }).png().toBuffer());
  expect((await sharp(find(image, 'large').file).metadata()).hasAlpha).toBe(true);
  expect((await sharp(find(image, 'large', 'jpeg').file).stats()).dominant).toEqual({
    r: 248,
    g: 248,
    b: 248,
  });
  expect(image.dominantColor).toBe('#f8f8f8');
});

test.each([
  ['grey', (image: Sharp) => image.toColourspace('b-w').png()],
  ['of 16 bits', (image: Sharp) => image.toColourspace('rgb16').png()],
  ['for print (CMYK)', (image: Sharp) => image.toColourspace('cmyk').jpeg()],
  ['with a palette', (image: Sharp) => image.png({ palette: true })],
])('images %s are rendered in sRGB', async (_, change) => {
  const image = await render(await change(pictureOf(200, 100)).toBuffer());
  const { space, channels } = await sharp(find(image, 'large', 'jpeg').file).metadata();
  expect([space, channels]).toEqual(['srgb', 3]);
});

test.each(['jpeg', 'png', 'webp', 'avif'])('equal %s images have equal renditions', async (type) => {
  const bytes = (await imagesOf(300, 200))[`image/${type}`] ?? Buffer.alloc(0);
  const [one, other] = [await render(bytes), await render(bytes)];
  expect(one.renditions.map(({ sha256 }) => sha256)).toEqual(other.renditions.map(({ sha256 }) => sha256));
});

test('the blur hash has the colors of the picture', async () => {
  const { blurHash } = await render(await pictureOf(400, 240).jpeg().toBuffer());
  const pixels = decode(blurHash, 4, 4);
  const at = (x: number, y: number) => Array.from(pixels.subarray((y * 4 + x) * 4, (y * 4 + x) * 4 + 3));
  const [red, green, blue] = [at(0, 0), at(3, 0), at(0, 3)];
  expect(red.indexOf(Math.max(...red))).toBe(0);
  expect(green.indexOf(Math.max(...green))).toBe(1);
  expect(blue.indexOf(Math.max(...blue))).toBe(2);
});
