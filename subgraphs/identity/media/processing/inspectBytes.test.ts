import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { sourceOfBuffer } from './ByteSource.ts';
import { box, fileType, numbers, videoOf } from './fixture/boxesOf.ts';
import { imagesOf, pictureOf } from './fixture/imagesOf.ts';
import { pdfOf } from './fixture/pdfOf.ts';
import { inspectBytes } from './inspectBytes.ts';
import { mediaFailureCodes } from './MediaFailure.ts';
import { mediaLimits } from './mediaLimits.ts';

let images: Record<string, Buffer>;
beforeAll(async () => {
  images = await imagesOf(48, 32);
});

const inspect = (bytes: Buffer) => inspectBytes(sourceOfBuffer(bytes));
async function codeOf(bytes: Buffer): Promise<string> {
  const result = await inspect(bytes);
  return 'failure' in result ? result.failure.code : 'taken';
}
const image = (type: string): Buffer => images[`image/${type}`] ?? Buffer.alloc(0);
const types = ['jpeg', 'png', 'webp', 'avif'];

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

function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content]);
  return Buffer.concat([numbers(content.length), body, numbers(crc32(body))]);
}

/** A PNG that says it is so large, and holds next to nothing. */
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
  const bytes = Buffer.from(content);
  const head = Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 0xff]);
  return Buffer.concat([image('jpeg').subarray(0, 2), head, bytes, image('jpeg').subarray(2)]);
}

describe('what a file is it says itself:', () => {
  test.each(types)('an image of type %s', async (type) => {
    expect(await inspect(image(type))).toEqual({
      mimeType: `image/${type}`,
      kind: 'image',
      width: 48,
      height: 32,
      pages: 1,
    });
  });

  test('an image of which HEIF says first that it is one, and AVIF second', async () => {
    const bytes = Buffer.from(image('avif'));
    bytes.write('mif1', 8);
    expect(await inspect(bytes)).toMatchObject({ mimeType: 'image/avif', width: 48 });
  });

  test('an image that is built up in several passes', async () => {
    const bytes = await pictureOf(48, 32).jpeg({ progressive: true }).toBuffer();
    expect(await inspect(bytes)).toMatchObject({ mimeType: 'image/jpeg', width: 48, height: 32 });
  });

  test('an image with transparency, in both ways of WebP', async () => {
    const picture = pictureOf(48, 32).ensureAlpha(0.5);
    for (const lossless of [true, false])
      expect(await inspect(await picture.clone().webp({ lossless }).toBuffer())).toMatchObject({
        width: 48,
        height: 32,
        pages: 1,
      });
  });

  test('an animation, with its frames', async () => {
    const raw = await pictureOf(48, 96).raw().toBuffer();
    const animation = await sharp(raw, { raw: { width: 48, height: 96, channels: 3, pageHeight: 32 } })
      .webp()
      .toBuffer();
    expect(await inspect(animation)).toMatchObject({ width: 48, height: 32, pages: 3 });
  });

  test('a document', async () => {
    expect(await inspect(pdfOf())).toEqual({ mimeType: 'application/pdf', kind: 'document' });
  });

  test.each([[{}], [{ indexLast: true }]])('a video %j', async (options) => {
    expect(await inspect(videoOf(options))).toEqual({
      mimeType: 'video/mp4',
      kind: 'video',
      durationMs: 8000,
      width: 1920,
      height: 1080,
    });
  });

  test('a video of which only the index and the ends of boxes are read', async () => {
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
});

describe('is not taken:', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  test.each([
    ['a drawing', svg, 'svg_not_allowed'],
    ['a drawing behind a declaration', `<?xml version="1.0"?>\n<!-- a -->\n${svg}`, 'svg_not_allowed'],
    ['a drawing behind a byte-order mark', `\ufeff  ${svg}`, 'svg_not_allowed'],
    ['a drawing in a namespace', '<s:svg xmlns:s="http://www.w3.org/2000/svg"/>', 'svg_not_allowed'],
    ['a page', '<!doctype html><html><script>alert(1)</script></html>', 'unsupported_type'],
    ['a text', 'just words', 'unsupported_type'],
    ['nothing', '', 'unsupported_type'],
    ['a GIF', `GIF89a/*${'\0'.repeat(20)}*/=1;alert(1)`, 'unsupported_type'],
    ['a program', '#!/bin/sh\nrm -rf /', 'unsupported_type'],
  ])('%s', async (_, text, code) => {
    expect(await codeOf(Buffer.from(text))).toBe(code);
  });

  test('an archive', async () => {
    expect(await codeOf(archive)).toBe('unsupported_type');
  });

  test.each(['heic', 'heix', 'hevc', 'mif1'])('a HEIC photo (%s), with a remedy', async (brand) => {
    const bytes = Buffer.concat([fileType(brand, 'heic'), box('meta'), box('mdat')]);
    expect(await inspect(bytes)).toMatchObject({
      failure: { code: 'heic_not_supported', detail: expect.stringContaining('convert it to JPEG') },
    });
  });

  test('a QuickTime film', async () => {
    expect(await codeOf(Buffer.concat([fileType('qt  '), box('moov'), box('mdat')]))).toBe(
      'unsupported_type',
    );
  });
});

describe('a file that ends too early is refused at every length:', () => {
  test.each(['jpeg', 'png', 'webp', 'avif'])('%s', async (type) => {
    const whole = image(type);
    const codes = new Set<string>();
    for (let length = 0; length < whole.length; length += 1)
      codes.add(await codeOf(whole.subarray(0, length)));
    expect(codes).not.toContain('taken');
    for (const code of codes) expect(mediaFailureCodes).toContain(code);
    expect(await codeOf(whole.subarray(0, whole.length - 3))).toBe('file_truncated');
  });

  test.each([
    ['a document', pdfOf({ behind: '' })],
    ['a video', videoOf()],
    ['a video with its index behind', videoOf({ indexLast: true })],
  ])('%s', async (_, whole) => {
    for (let length = 0; length < whole.length; length += 1)
      expect(await codeOf(whole.subarray(0, length))).not.toBe('taken');
  });
});

describe('a file whose bytes were changed never ends the inspection:', () => {
  test.each(['jpeg', 'png', 'webp', 'avif', 'pdf', 'mp4'])('%s', async (type) => {
    const whole = type === 'pdf' ? pdfOf() : type === 'mp4' ? videoOf() : image(type);
    for (let at = 0; at < whole.length; at += 1) {
      for (const value of [0, 0xff]) {
        const bytes = Buffer.from(whole);
        bytes[at] = value;
        expect(['taken', ...mediaFailureCodes]).toContain(await codeOf(bytes));
      }
    }
  });
});

describe('an image that would unpack to too much is refused by its header:', () => {
  test('one of a gigapixel', async () => {
    expect(await codeOf(pngOf(32_000, 32_000))).toBe('image_too_large');
  });

  test('one with a side that no format holds', async () => {
    expect(await codeOf(pngOf(65_536, 1))).toBe('image_too_large');
    expect(await codeOf(pngOf(4_294_967_295, 4_294_967_295))).toBe('image_too_large');
  });

  test('50 megapixels, and not one more', async () => {
    expect(await codeOf(pngOf(10_000, 5_000))).toBe('taken');
    expect(await codeOf(pngOf(10_000, 5_001))).toBe('image_too_large');
  });

  test('an animation whose frames are too much together', async () => {
    const frames = Array.from({ length: 51 }, () => pngChunk('fcTL', Buffer.alloc(26)));
    expect(await codeOf(pngOf(1000, 1000, ...frames))).toBe('animation_too_large');
    expect(await codeOf(pngOf(1000, 1000, ...frames.slice(1)))).toBe('taken');
  });

  test('an image whose tiles are small and whose whole is not', async () => {
    const bytes = Buffer.from(image('avif'));
    bytes.writeUInt32BE(60_000, bytes.indexOf('ispe') + 8);
    expect(await codeOf(bytes)).toBe('taken');
    bytes.writeUInt32BE(60_000, bytes.indexOf('ispe') + 12);
    expect(await codeOf(bytes)).toBe('image_too_large');
  });
});

describe('a file that is something else as well is refused:', () => {
  const page = Buffer.from('<HTML><body onload=alert(1)>');
  const script = Buffer.from('<?php system($_GET[0]);');
  test.each(types)('%s in front of an archive', async (type) => {
    expect(await codeOf(Buffer.concat([image(type), archive]))).toBe('foreign_content');
  });
  test.each(['jpeg', 'png', 'webp'])(
    '%s in front of a page, a script, a document or a program',
    async (type) => {
      for (const tail of [page, script, pdfOf(), Buffer.from('MZ\x90\0'), Buffer.from('Rar!\x1a\x07\0')])
        expect(await codeOf(Buffer.concat([image(type), tail]))).toBe('foreign_content');
    },
  );
  test('a JPEG with a page, a script or an archive in a comment', async () => {
    for (const content of [page, script, archive])
      for (const marker of [0xfe, 0xe1, 0xef])
        expect(await codeOf(withSegment(marker, content))).toBe('foreign_content');
  });
  test('a PNG with a page in a text, or in a chunk of its own', async () => {
    for (const type of ['tEXt', 'zzZz'])
      expect(await codeOf(pngOf(8, 8, pngChunk(type, page)))).toBe('foreign_content');
  });
  test('a WebP with a page in a chunk', async () => {
    const chunk = Buffer.concat([Buffer.from('XMP '), Buffer.from([page.length, 0, 0, 0]), page]);
    const bytes = Buffer.concat([image('webp'), chunk]);
    bytes.writeUInt32LE(bytes.length - 8, 4);
    expect(await codeOf(bytes)).toBe('foreign_content');
  });
  test('a document in front of a page or an archive', async () => {
    for (const tail of [page, archive])
      expect(await codeOf(Buffer.concat([pdfOf(), tail]))).toBe('foreign_content');
  });
  test('a document that begins with a page', async () => {
    const bytes = pdfOf();
    bytes.write('<html>', 10);
    expect(await codeOf(bytes)).toBe('foreign_content');
  });
  test('a video that ends as an archive', async () => {
    expect(await codeOf(Buffer.concat([videoOf(), box('free', archive)]))).toBe('foreign_content');
  });
});

test('zeros, and the short video of a moving photo, may lie behind a picture', async () => {
  for (const tail of [Buffer.alloc(4096), videoOf(), image('jpeg')])
    expect(await codeOf(Buffer.concat([image('jpeg'), tail]))).toBe('taken');
});

test('metadata of cameras is no reason', async () => {
  const xmp = '<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF/></x:xmpmeta>';
  expect(await codeOf(withSegment(0xe1, `http://ns.adobe.com/xap/1.0/\0${xmp}`))).toBe('taken');
});

describe('of documents are refused', () => {
  test.each([
    '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>',
    '/AA << /O << /S /Launch >> >>',
    '/J#53 (x)',
  ])('those that run a program: %s', async (catalog) => {
    expect(await codeOf(pdfOf({ catalog }))).toBe('active_content');
  });
  test('those whose index is not where they say', async () => {
    const text = pdfOf().toString('latin1');
    expect(await codeOf(Buffer.from(text.replace(/startxref\n\d+/, 'startxref\n5'), 'latin1'))).toBe(
      'file_damaged',
    );
  });
  test('those that do not begin at their beginning', async () => {
    expect(await codeOf(Buffer.concat([Buffer.from('GIF89a'), pdfOf()]))).not.toBe('taken');
  });
});

describe('of videos are refused', () => {
  test('those that are too long by any of their clocks', async () => {
    const seconds = mediaLimits.videoDurationMs / 1000;
    expect(await codeOf(videoOf({ seconds }))).toBe('taken');
    expect(await codeOf(videoOf({ seconds: seconds + 1 }))).toBe('video_too_long');
    expect(await codeOf(videoOf({ trackTicks: (seconds + 1) * 1000 }))).toBe('video_too_long');
  });
  test('those without pictures, and those without a length', async () => {
    expect(await codeOf(videoOf({ handler: 'soun' }))).toBe('file_damaged');
    expect(await codeOf(videoOf({ seconds: 0 }))).toBe('file_damaged');
  });
});

describe('the limit of bytes depends on the kind:', () => {
  const { byteSize } = mediaLimits;
  const claim = (bytes: Buffer, size: number) =>
    inspectBytes({ byteSize: size, read: async (start, length) => bytes.subarray(start, start + length) });
  test.each([
    ['an image', () => image('jpeg'), byteSize.image],
    ['a document', () => pdfOf(), byteSize.document],
    ['a video', () => videoOf(), byteSize.video],
  ])('%s', async (_, bytes, most) => {
    expect(await claim(bytes(), most + 1)).toMatchObject({ failure: { code: 'file_too_large' } });
    const result = await claim(bytes(), most);
    if ('failure' in result) expect(result.failure.code).not.toBe('file_too_large');
  });
});
