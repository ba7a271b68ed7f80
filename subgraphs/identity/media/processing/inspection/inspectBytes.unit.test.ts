import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { mediaLimits } from '../../mediaLimits.ts';
import { box, fileType, numbers, videoOf } from '../fixture/boxesOf.ts';
import { imagesOf, pictureOf } from '../fixture/imagesOf.ts';
import { pdfOf } from '../fixture/pdfOf.ts';
import { mediaFailureCodes } from '../MediaFailure.ts';
import { sourceOfBuffer } from './ByteSource.ts';
import { inspectBytes } from './inspectBytes.ts';

const types = ['jpeg', 'png', 'webp', 'avif'] as const;
const images = await imagesOf(48, 32);
const image = (type: (typeof types)[number]): Buffer => images[`image/${type}`] ?? Buffer.alloc(0);

const inspect = (bytes: Buffer) => inspectBytes(sourceOfBuffer(bytes));
async function codeOf(...parts: readonly (Buffer | string)[]): Promise<string> {
  const result = await inspect(Buffer.concat(parts.map((part) => Buffer.from(part as Buffer))));
  return 'failure' in result ? result.failure.code : 'accepted';
}

/** An archive of one empty file, as any ZIP program writes it. */
const archive = (() => {
  const name = Buffer.from('index.html');
  const entry = Buffer.alloc(30);
  entry.write('PK\x03\x04', 'latin1');
  entry.writeUInt16LE(name.length, 26);
  const listed = Buffer.alloc(46);
  listed.write('PK\x01\x02', 'latin1');
  listed.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(30 + name.length, 16);
  return Buffer.concat([entry, name, listed, name, end]);
})();
const page = Buffer.from('<HTML><body onload=alert(1)>');
const script = Buffer.from('<?php system($_GET[0]);');
const program = Buffer.from('MZ\x90\0');
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content]);
  return Buffer.concat([numbers(content.length), body, numbers(crc32(body))]);
}

/** A PNG that states this size and contains few bytes. */
function pngOf(width: number, height: number, ...more: readonly Buffer[]): Buffer {
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', Buffer.concat([numbers(width, height), Buffer.from([8, 2, 0, 0, 0])])),
    ...more,
    pngChunk('IDAT', deflateSync(Buffer.alloc(1000))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A JPEG with one more segment at its beginning. */
function withSegment(marker: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content as Buffer);
  const head = Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 0xff]);
  return Buffer.concat([image('jpeg').subarray(0, 2), head, bytes, image('jpeg').subarray(2)]);
}

test.each(types)('an inspection recognises an image of type %s and its size', async (type) => {
  const facts = { mimeType: `image/${type}`, kind: 'image', width: 48, height: 32, pages: 1 };
  expect(await inspect(image(type))).toEqual(facts);
});

test('an inspection recognises an AVIF image whose first brand is HEIF', async () => {
  const bytes = Buffer.from(image('avif'));
  bytes.write('mif1', 8);
  expect(await inspect(bytes)).toMatchObject({ mimeType: 'image/avif', width: 48 });
});

test('an inspection recognises progressive JPEG, and WebP with transparency in both of its forms', async () => {
  const clear = pictureOf(48, 32).ensureAlpha(0.5);
  for (const picture of [
    pictureOf(48, 32).jpeg({ progressive: true }),
    clear.clone().webp({ lossless: true }),
    clear.clone().webp(),
  ])
    expect(await inspect(await picture.toBuffer())).toMatchObject({ width: 48, height: 32, pages: 1 });
});

test('an inspection counts the frames of an animation', async () => {
  const raw = await pictureOf(48, 96).raw().toBuffer();
  const frames = { width: 48, height: 96, channels: 3, pageHeight: 32 } as const;
  const animation = await sharp(raw, { raw: frames }).webp().toBuffer();
  expect(await inspect(animation)).toMatchObject({ width: 48, height: 32, pages: 3 });
});

test('an inspection recognises a document, and a video with its index before or after the frames', async () => {
  expect(await inspect(pdfOf())).toEqual({ mimeType: 'application/pdf', kind: 'document' });
  const video = { mimeType: 'video/mp4', kind: 'video', durationMs: 8000, width: 1920, height: 1080 };
  for (const indexLast of [false, true]) expect(await inspect(videoOf({ indexLast }))).toEqual(video);
});

test('an inspection reads only the index of a large video and the ends of its boxes', async () => {
  const bytes = Buffer.concat([videoOf(), box('mdat', Buffer.alloc(5_000_000))]);
  let read = 0;
  const source = {
    byteSize: bytes.length,
    read: async (start: number, length: number) => {
      read += length;
      return bytes.subarray(start, start + length);
    },
  };
  expect(await inspectBytes(source)).toMatchObject({ kind: 'video', durationMs: 8000 });
  expect(read).toBeLessThan(100_000);
});

test.each<[string, string | Buffer, string]>([
  ['an SVG image', svg, 'svg_not_allowed'],
  ['an SVG image after an XML declaration', `<?xml version="1.0"?>\n<!-- a -->\n${svg}`, 'svg_not_allowed'],
  ['an SVG image after a byte-order mark', `\ufeff  ${svg}`, 'svg_not_allowed'],
  [
    'an SVG image with a namespace prefix',
    '<s:svg xmlns:s="http://www.w3.org/2000/svg"/>',
    'svg_not_allowed',
  ],
  ['an HTML page', '<!doctype html><html><script>alert(1)</script></html>', 'unsupported_type'],
  ['a text', 'just words', 'unsupported_type'],
  ['an empty file', '', 'unsupported_type'],
  ['a GIF', `GIF89a/*${'\0'.repeat(20)}*/=1;alert(1)`, 'unsupported_type'],
  ['a shell script', '#!/bin/sh\nrm -rf /', 'unsupported_type'],
  ['an archive', archive, 'unsupported_type'],
  ['a QuickTime video', Buffer.concat([fileType('qt  '), box('moov'), box('mdat')]), 'unsupported_type'],
  ['an image of a gigapixel', pngOf(32_000, 32_000), 'image_too_large'],
  ['an image whose width exceeds that of every format', pngOf(65_536, 1), 'image_too_large'],
  ['an image with the largest size that PNG can state', pngOf(2 ** 32 - 1, 2 ** 32 - 1), 'image_too_large'],
  ['a JPEG that ends with an HTML page', Buffer.concat([image('jpeg'), page]), 'foreign_content'],
  ['a PNG with an HTML page in a text chunk', pngOf(8, 8, pngChunk('tEXt', page)), 'foreign_content'],
  ['a PNG with an HTML page in an unknown chunk', pngOf(8, 8, pngChunk('zzZz', page)), 'foreign_content'],
  ['a video that ends with an archive', Buffer.concat([videoOf(), box('free', archive)]), 'foreign_content'],
  ['a video without frames', videoOf({ handler: 'soun' }), 'file_damaged'],
  ['a video without a length', videoOf({ seconds: 0 }), 'file_damaged'],
])('an inspection refuses %s', async (_, content, code) => {
  expect(await codeOf(content)).toBe(code);
});

test.each(['heic', 'heix', 'hevc', 'mif1'])(
  'an inspection refuses a HEIC photo of the brand %s and states how to convert it',
  async (brand) => {
    const bytes = Buffer.concat([fileType(brand, 'heic'), box('meta'), box('mdat')]);
    expect(await inspect(bytes)).toMatchObject({
      failure: { code: 'heic_not_supported', detail: expect.stringContaining('Convert the photo to JPEG') },
    });
  },
);

test.each(types)('an inspection refuses an image of type %s that is truncated at any byte', async (type) => {
  const whole = image(type);
  const codes = new Set<string>();
  for (let length = 0; length < whole.length; length += 1) codes.add(await codeOf(whole.subarray(0, length)));
  expect(codes).not.toContain('accepted');
  for (const code of codes) expect(mediaFailureCodes).toContain(code);
  expect(await codeOf(whole.subarray(0, whole.length - 3))).toBe('file_truncated');
});

test.each([
  ['document', pdfOf({ behind: '' })],
  ['video', videoOf()],
  ['video with its index at the end', videoOf({ indexLast: true })],
])('an inspection refuses a %s that is truncated at any byte', async (_, whole) => {
  for (let length = 0; length < whole.length; length += 1)
    expect(await codeOf(whole.subarray(0, length))).not.toBe('accepted');
});

test.each<[string, Buffer]>([
  ...types.map((type) => [type, image(type)] as [string, Buffer]),
  ['pdf', pdfOf()],
  ['mp4', videoOf()],
])(
  'an inspection accepts or refuses a file of type %s with any byte changed, without an error',
  async (_, whole) => {
    for (let at = 0; at < whole.length; at += 1) {
      for (const value of [0, 0xff]) {
        const bytes = Buffer.from(whole);
        bytes[at] = value;
        expect(['accepted', ...mediaFailureCodes]).toContain(await codeOf(bytes));
      }
    }
  },
);

test('an inspection refuses more than 50 megapixels of a picture or of all frames of an animation', async () => {
  expect(await codeOf(pngOf(10_000, 5_000))).toBe('accepted');
  expect(await codeOf(pngOf(10_000, 5_001))).toBe('image_too_large');
  const frames = Array.from({ length: 51 }, () => pngChunk('fcTL', Buffer.alloc(26)));
  expect(await codeOf(pngOf(1000, 1000, ...frames.slice(1)))).toBe('accepted');
  expect(await codeOf(pngOf(1000, 1000, ...frames))).toBe('animation_too_large');
});

test('an inspection refuses an image of small tiles whose total size is too large', async () => {
  const bytes = Buffer.from(image('avif'));
  bytes.writeUInt32BE(60_000, bytes.indexOf('ispe') + 8);
  expect(await codeOf(bytes)).toBe('accepted');
  bytes.writeUInt32BE(60_000, bytes.indexOf('ispe') + 12);
  expect(await codeOf(bytes)).toBe('image_too_large');
});

test('an inspection refuses a truncated image, whatever bytes follow', async () => {
  // Decoders read the following bytes as the rest of the image, or do not check its end.
  const cuts = { jpeg: [2, 12, 30], png: [12, 14, 30] };
  for (const type of ['jpeg', 'png'] as const)
    for (const cut of cuts[type])
      for (const tail of [Buffer.alloc(4096), videoOf(), image('jpeg'), 'no image'])
        expect(await codeOf(image(type).subarray(0, -cut), tail)).toMatch(/^file_(?:truncated|damaged)$/);
});

test('an inspection refuses an image or a document that is followed by another file', async () => {
  for (const type of types) expect(await codeOf(image(type), archive)).toBe('foreign_content');
  for (const type of ['jpeg', 'png', 'webp'] as const)
    for (const tail of [page, script, pdfOf(), program, 'Rar!\x1a\x07\0'])
      expect(await codeOf(image(type), tail)).toBe('foreign_content');
  for (const tail of [page, archive]) expect(await codeOf(pdfOf(), tail)).toBe('foreign_content');
});

test('an inspection refuses a JPEG with an HTML page, a script or an archive in a segment', async () => {
  for (const content of [page, script, archive])
    for (const marker of [0xfe, 0xe1, 0xef])
      expect(await codeOf(withSegment(marker, content))).toBe('foreign_content');
});

test('an inspection refuses a WebP with an HTML page in a chunk', async () => {
  const chunk = Buffer.concat([Buffer.from('XMP '), Buffer.from([page.length, 0, 0, 0]), page]);
  const bytes = Buffer.concat([image('webp'), chunk]);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  expect(await codeOf(bytes)).toBe('foreign_content');
});

test('an inspection accepts a picture that is followed by zeros or by the video of a motion photo', async () => {
  for (const tail of [Buffer.alloc(4096), videoOf(), image('jpeg')])
    expect(await codeOf(image('jpeg'), tail)).toBe('accepted');
});

test('an inspection accepts the metadata of cameras', async () => {
  const xmp = '<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF/></x:xmpmeta>';
  expect(await codeOf(withSegment(0xe1, `http://ns.adobe.com/xap/1.0/\0${xmp}`))).toBe('accepted');
});

test.each([
  '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>',
  '/AA << /O << /S /Launch >> >>',
  '/J#53 (x)',
])('an inspection refuses a document that runs a program: %s', async (catalog) => {
  expect(await codeOf(pdfOf({ catalog }))).toBe('active_content');
});

test('an inspection refuses a document with bytes before it, HTML in its head or a wrong offset of its index', async () => {
  expect(await codeOf('GIF89a', pdfOf())).not.toBe('accepted');
  const bytes = pdfOf();
  bytes.write('<html>', 10);
  expect(await codeOf(bytes)).toBe('foreign_content');
  const moved = pdfOf()
    .toString('latin1')
    .replace(/startxref\n\d+/, 'startxref\n5');
  expect(await codeOf(Buffer.from(moved, 'latin1'))).toBe('file_damaged');
});

test('an inspection refuses a video that is too long by its own duration or that of a track', async () => {
  const seconds = mediaLimits.videoDurationMs / 1000;
  expect(await codeOf(videoOf({ seconds }))).toBe('accepted');
  expect(await codeOf(videoOf({ seconds: seconds + 1 }))).toBe('video_too_long');
  expect(await codeOf(videoOf({ trackTicks: (seconds + 1) * 1000 }))).toBe('video_too_long');
});

test.each([
  ['image', image('jpeg')],
  ['document', pdfOf()],
  ['video', videoOf()],
] as const)(
  'an inspection refuses a file of the kind %s with more bytes than its limit',
  async (kind, bytes) => {
    const most = mediaLimits.byteSize[kind];
    const claim = (byteSize: number) =>
      inspectBytes({ byteSize, read: async (start, length) => bytes.subarray(start, start + length) });
    expect(await claim(most + 1)).toMatchObject({ failure: { code: 'file_too_large' } });
    expect(await claim(most)).not.toMatchObject({ failure: { code: 'file_too_large' } });
  },
);
