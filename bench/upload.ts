import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { Pool } from 'undici';
import { type Program, startProgram } from '../test/support/startProgram.ts';

/**
 * `node bench/upload.ts`: what photos of 10 MB that are uploaded and rendered cost somebody who reads at the same time.
 * Rounds without and with uploads take turns, so that what the machine does besides hits both; the goal is a ratio of one
 * run.
 */

const password = 'bench-password-1';
const rounds = 6;
const roundMs = 6000;
/** A reader asks again this long after his last answer: he is measured, not the queue that he would make. */
const thinkMs = 4;
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
const dataDir = await mkdtemp(path.join(tmpdir(), 'trigate-upload-'));
const product = await startProgram('product', 'start/main.ts', {
  DATA_DIR: dataDir,
  DEMO_PASSWORD: password,
  PORT: '0',
  MONGODB_URI: '',
  STORAGE: 'disk',
  RATE_LIMITS: 'off',
});
const readers = new Pool(product.url, { connections: 1 });
const uploaders = new Pool(product.url, { connections: 2 });

try {
  await run(product);
} finally {
  await Promise.all([readers.close(), uploaders.close()]);
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function run({ url }: Program): Promise<void> {
  const authorization = `Bearer ${await signIn()}`;
  await measure(authorization, roundMs);
  await upload(authorization, 0);
  const idle: number[] = [];
  const busy: number[] = [];
  const uploads: Upload[] = [];
  for (let round = 0; round < rounds; round += 1) {
    idle.push(...(await measure(authorization, roundMs)));
    const uploading = startUploads(authorization, (round + 1) * 1000);
    // What is measured is a product at work.
    await pause(300);
    busy.push(...(await measure(authorization, roundMs)));
    uploads.push(...(await uploading.end()));
  }
  const ratio = percentile(busy, 0.99) / percentile(idle, 0.99);
  const size = (photo.length / 1e6).toFixed(1);
  console.log(`GET /api/v1/me at ${url}, alone and beside uploads of ${size} MB`);
  console.log(`  alone           ${describe(idle)}`);
  console.log(`  beside uploads  ${describe(busy)}`);
  console.log(`  answer          ${describe(uploads.map(({ answeredMs }) => answeredMs))}`);
  console.log(`  until ready     ${describe(uploads.map(({ readyMs }) => readyMs))}`);
  console.log(`  p99             ${ratio.toFixed(2)}x (goal at most ${goal}x)`);
}

/** Milliseconds of one upload: until it was answered, and until its renditions were there. */
interface Upload {
  answeredMs: number;
  readyMs: number;
}

/** Times of `/me` in milliseconds, asked one after the other. */
async function measure(authorization: string, forMs: number): Promise<number[]> {
  const times: number[] = [];
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    const begun = performance.now();
    const { statusCode, body } = await readers.request({
      method: 'GET',
      path: '/api/v1/me',
      headers: { authorization },
    });
    await body.dump();
    times.push(performance.now() - begun);
    if (statusCode !== 200) throw new Error(`/me answered ${statusCode}`);
    await pause(thinkMs);
  }
  return times;
}

/** Uploads one photo after the other, each when the one before it is ready, until it is told to stop. */
function startUploads(authorization: string, from: number): { end(): Promise<Upload[]> } {
  const over = new AbortController();
  const done: Upload[] = [];
  const all = (async () => {
    for (let number = from; !over.signal.aborted; number += 1) done.push(await upload(authorization, number));
  })();
  return {
    async end() {
      over.abort();
      await all;
      return done;
    },
  };
}

async function upload(authorization: string, number: number): Promise<Upload> {
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
  while ((await stateOf(answer.id, authorization)) !== 'ready') await pause(lookMs);
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

async function stateOf(id: string, authorization: string): Promise<string> {
  const { body } = await uploaders.request({
    method: 'GET',
    path: `/api/v1/media/${id}`,
    headers: { authorization },
  });
  const { state } = (await body.json()) as { state: string };
  if (state === 'failed') throw new Error('a photo could not be rendered');
  return state;
}

async function signIn(): Promise<string> {
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

function percentile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

function describe(times: readonly number[]): string {
  const [median, high] = [0.5, 0.99].map((part) => percentile(times, part).toFixed(1));
  return `median ${median} ms, p99 ${high} ms of ${times.length}`;
}
