import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { Pool } from 'undici';
import { benchmark } from './harness/benchmark.ts';
import type { Caller } from './harness/Caller.ts';
import { reportReader, startBustle } from './harness/readMe.ts';
import { describeTimes, report } from './harness/report.ts';
import { headersOf, sendOk } from './harness/send.ts';

/** Measures how uploads and renditions of photos affect a client that reads concurrently. */

/** Interval in milliseconds at which an uploader checks whether the photo is ready. */
const lookMs = 100;
const boundary = 'bench-boundary';
const pieceSize = 64 * 1024;

export default benchmark({
  measures: 'GET /api/v1/me alone and beside uploads of photos, as a ratio of one run',
  settings: {
    width: { usual: 4000, quick: 800, means: 'pixels of a photo; 4000 make 10 MB' },
    rounds: { usual: 6, quick: 1, means: 'rounds without and with uploads, in turns' },
    roundMs: { usual: 6000, quick: 500, means: 'length of a round' },
  },
  async measure({ width, ...span }, { openMarketplace }) {
    const photo = await takePhoto(width);
    const { product, caller } = await openMarketplace();
    const pool = new Pool(product.url, { connections: 2 });
    const uploads: Upload[] = [];
    let number = 0;
    const upload = async (): Promise<void> => {
      number += 1;
      uploads.push(await uploadOnce(pool, caller, formOf(photo, number)));
    };
    await upload();
    const size = (photo.length / 1e6).toFixed(1);
    await reportReader({ url: product.url, caller }, span, [
      `uploads of ${size} MB`,
      () => startBustle(1, upload),
    ]);
    report('upload, answered', describeTimes(uploads.map(({ answeredMs }) => answeredMs)));
    report('upload, until its renditions are ready', describeTimes(uploads.map(({ readyMs }) => readyMs)));
    await pool.close();
  },
});

function takePhoto(width: number): Promise<Buffer> {
  return sharp({
    create: {
      width,
      height: Math.round(width * 0.75),
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 45 },
    },
  })
    .jpeg({ quality: 95 })
    .toBuffer();
}

/** Durations of one upload in milliseconds: until its response, and until its renditions existed. */
interface Upload {
  answeredMs: number;
  readyMs: number;
}

async function uploadOnce(pool: Pool, as: Caller, form: readonly Buffer[]): Promise<Upload> {
  const path = '/api/v1/media';
  const headers = {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': String(form.reduce((size, piece) => size + piece.length, 0)),
  };
  const authorized = await headersOf({ method: 'POST', path, headers, as });
  const begun = performance.now();
  const answer = await pool.request({ method: 'POST', path, headers: authorized, body: Readable.from(form) });
  const text = await answer.body.text();
  if (answer.statusCode !== 201) throw new Error(`An upload answered ${answer.statusCode}: ${text}`);
  const answeredMs = performance.now() - begun;
  const { id } = JSON.parse(text) as { id: string };
  for (;;) {
    const look = await sendOk(pool, { method: 'GET', path: `${path}/${id}`, as });
    const { state } = JSON.parse(look.text) as { state: string };
    if (state === 'ready') return { answeredMs, readyMs: performance.now() - begun };
    if (state === 'failed') throw new Error('A photo could not be rendered.');
    await pause(lookMs);
  }
}

/**
 * Returns a form with the photo and a unique comment in it, because identical bytes would be stored once and be ready
 * immediately. The body is in small chunks, so that sending does not block the measurement.
 */
function formOf(photo: Buffer, number: number): Buffer[] {
  const part = (head: string): Buffer =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}`);
  const comment = Buffer.from([0xff, 0xfe, 0, 6, 0, 0, 0, 0]);
  comment.writeUInt32BE(number, 4);
  const pieces: Buffer[] = [];
  for (let at = 2; at < photo.length; at += pieceSize) pieces.push(photo.subarray(at, at + pieceSize));
  return [
    part('name="purpose"\r\n\r\nlisting\r\n'),
    part('name="file"; filename="photo.jpg"\r\nContent-Type: image/jpeg\r\n\r\n'),
    photo.subarray(0, 2),
    comment,
    ...pieces,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ];
}
