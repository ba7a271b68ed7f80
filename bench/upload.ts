import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { Pool } from 'undici';
import type { Program } from '../test/support/startProgram.ts';
import { percentile } from './catalogue/times.ts';
import { describeMedian, readMe } from './readMe.ts';
import { withPrograms } from './withPrograms.ts';

/**
 * `node bench/upload.ts`: what photos of 10 MB that are uploaded and rendered cost somebody who reads at the same time.
 * Rounds without and with uploads take turns, so that what the machine does besides hits both; the goal is a ratio of one
 * run.
 */

const password = 'bench-password-1';
const rounds = 6;
const roundMs = 6000;
/** So often an uploader looks whether his photo is ready. */
const lookMs = 100;
const goal = 3;
const boundary = 'bench-boundary';
const pieceSize = 64 * 1024;
const photoSize = { width: 4000, height: 3000 };

const photo = await sharp({
  create: {
    ...photoSize,
    channels: 3,
    background: '#808080',
    noise: { type: 'gaussian', mean: 128, sigma: 45 },
  },
})
  .jpeg({ quality: 95 })
  .toBuffer();
await withPrograms('upload', async (start) => {
  const product = await start('product', 'start/main.ts', {
    DEMO_PASSWORD: password,
    PORT: '0',
    MONGODB_URI: '',
    STORAGE: 'disk',
    RATE_LIMITS: 'off',
  });
  const readers = new Pool(product.url, { connections: 1 });
  const uploaders = new Pool(product.url, { connections: 2 });
  try {
    await run(product, { readers, uploaders });
  } finally {
    await Promise.all([readers.close(), uploaders.close()]);
  }
});

/** Connections of one run. */
interface Pools {
  readers: Pool;
  uploaders: Pool;
}

async function run({ url }: Program, { readers, uploaders }: Pools): Promise<void> {
  const authorization = `Bearer ${await signIn(uploaders)}`;
  await readMe(readers, authorization, roundMs);
  await upload({ uploaders, authorization }, 0);
  const idle: number[] = [];
  const busy: number[] = [];
  const uploads: Upload[] = [];
  for (let round = 0; round < rounds; round += 1) {
    idle.push(...(await readMe(readers, authorization, roundMs)));
    const uploading = startUploads({ uploaders, authorization }, (round + 1) * 1000);
    // What is measured is a product at work.
    await pause(300);
    busy.push(...(await readMe(readers, authorization, roundMs)));
    uploads.push(...(await uploading.end()));
  }
  const ratio = percentile(busy, 0.99) / percentile(idle, 0.99);
  const size = (photo.length / 1e6).toFixed(1);
  console.log(`GET /api/v1/me at ${url}, alone and beside uploads of ${size} MB`);
  console.log(`  alone           ${describeMedian(idle)}`);
  console.log(`  beside uploads  ${describeMedian(busy)}`);
  console.log(`  answer          ${describeMedian(uploads.map(({ answeredMs }) => answeredMs))}`);
  console.log(`  until ready     ${describeMedian(uploads.map(({ readyMs }) => readyMs))}`);
  console.log(`  p99             ${ratio.toFixed(2)}x (goal at most ${goal}x)`);
}

/** Milliseconds of one upload: until it was answered, and until its renditions were there. */
interface Upload {
  answeredMs: number;
  readyMs: number;
}

/** Who uploads. */
interface Uploader {
  uploaders: Pool;
  authorization: string;
}

/** Uploads one photo after the other, each when the one before it is ready, until it is told to stop. */
function startUploads(uploader: Uploader, from: number): { end(): Promise<Upload[]> } {
  const over = new AbortController();
  const done: Upload[] = [];
  const all = (async () => {
    for (let number = from; !over.signal.aborted; number += 1) done.push(await upload(uploader, number));
  })();
  return {
    async end() {
      over.abort();
      await all;
      return done;
    },
  };
}

async function upload({ uploaders, authorization }: Uploader, number: number): Promise<Upload> {
  const begun = performance.now();
  const form = [...formOf(number)];
  const { statusCode, body } = await uploaders.request({
    method: 'POST',
    path: '/api/v1/media',
    headers: {
      authorization,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(form.reduce((size, piece) => size + piece.length, 0)),
    },
    body: Readable.from(form),
  });
  const answer = (await body.json()) as { id: string; state: string };
  if (statusCode !== 201) throw new Error(`an upload answered ${statusCode}: ${JSON.stringify(answer)}`);
  const answeredMs = performance.now() - begun;
  while ((await stateOf(answer.id, { uploaders, authorization })) !== 'ready') await pause(lookMs);
  return { answeredMs, readyMs: performance.now() - begun };
}

/**
 * A form with the photo, and in that a comment of its own: the same bytes would be kept once, and be ready at once. In
 * small pieces, so that sending does not keep this process from measuring.
 */
function* formOf(number: number): Generator<Buffer> {
  const part = (head: string): Buffer =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}`);
  yield part('name="purpose"\r\n\r\nlisting\r\n');
  yield part('name="file"; filename="photo.jpg"\r\nContent-Type: image/jpeg\r\n\r\n');
  yield photo.subarray(0, 2);
  const comment = Buffer.from([0xff, 0xfe, 0, 6, 0, 0, 0, 0]);
  comment.writeUInt32BE(number, 4);
  yield comment;
  for (let at = 2; at < photo.length; at += pieceSize) yield photo.subarray(at, at + pieceSize);
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}

async function stateOf(id: string, { uploaders, authorization }: Uploader): Promise<string> {
  const { body } = await uploaders.request({
    method: 'GET',
    path: `/api/v1/media/${id}`,
    headers: { authorization },
  });
  const { state } = (await body.json()) as { state: string };
  if (state === 'failed') throw new Error('a photo could not be rendered');
  return state;
}

async function signIn(uploaders: Pool): Promise<string> {
  const { statusCode, body } = await uploaders.request({
    method: 'POST',
    path: '/api/v1/auth/token',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'password', username: 'buyer@demo.example', password }),
  });
  const answer = (await body.json()) as { access_token: string };
  if (statusCode !== 200) throw new Error(`the sign-in answered ${statusCode}`);
  return answer.access_token;
}
