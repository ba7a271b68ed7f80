import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { unique } from '../../../test/support/seed.ts';
import { openS3Server, type S3Fault } from '../../../test/support/servers/openS3Server.ts';
import { perTest } from '../../../test/support/stack/lazily.ts';
import type { Storage } from './Storage.ts';
import { createS3Storage } from './s3Storage.ts';
import { storageKey } from './storageKey.ts';

let storage: Storage;
let trouble: unknown[];

const s3 = perTest(() => openS3Server());
beforeEach(async () => {
  trouble = [];
  storage = createS3Storage({ ...s3, timeoutMs: 5000, onTrouble: (error) => trouble.push(error) });
});
afterEach(() => s3.close());

const facts = { contentType: 'image/webp' };
const newKey = () => storageKey('ins_one', 'public', unique('med'));
const put = (bytes: Buffer, key = newKey()) => storage.put(key, Readable.from([bytes]), facts);
const large = 9 * 1024 * 1024;
const times = (count: number, fault: S3Fault): S3Fault[] => Array<S3Fault>(count).fill(fault);
const unavailable = { code: 'unavailable', details: { retryAfter: 5 } };

test('a small file is stored by one request and a large one in parts, both with their media type', async () => {
  await put(Buffer.from('abc'));
  await put(randomBytes(large));
  const part = 'PUT partNumber uploadId';
  expect(s3.requests).toEqual(['PUT', 'POST uploads', part, part, 'POST uploadId']);
  expect([...s3.objects.values()].map(({ contentType }) => contentType)).toEqual(Array(2).fill('image/webp'));
});

test('a request to an S3 store that is busy once is repeated', async () => {
  s3.faults.push('slowDown');
  const key = newKey();
  await put(Buffer.from('abc'), key);
  s3.faults.push('slowDown');
  expect(await storage.exists(key)).toBe(true);
  expect(trouble).toEqual([]);
});

test.each([
  ['busy several times', 'slowDown', 5000],
  ['silent', 'silent', 150],
] as const)(
  'requests to an S3 store that is %s fail as unavailable, and the cause is reported',
  async (_, fault, timeoutMs) => {
    storage = createS3Storage({ ...s3, timeoutMs, onTrouble: (error) => trouble.push(error) });
    const works = [
      () => put(Buffer.from('abc')),
      () => storage.exists(newKey()),
      // The SDK pauses before it retries at a busy store, so the large file is written to the silent one only.
      ...(fault === 'silent' ? [() => put(randomBytes(large))] : []),
    ];
    for (const work of works) {
      s3.faults.splice(0, s3.faults.length, ...times(6, fault));
      await expect(work()).rejects.toMatchObject(unavailable);
    }
    expect(trouble).toHaveLength(works.length);
    expect([s3.objects.size, s3.uploads.size]).toEqual([0, 0]);
  },
  30_000,
);

test('a request to an S3 store that refuses the credentials fails as unavailable without details', async () => {
  const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'another' };
  const other = createS3Storage({ ...s3, credentials, onTrouble: (error) => trouble.push(error) });
  const error = await other.exists(newKey()).catch((refusal: unknown) => refusal);
  expect(error).toMatchObject(unavailable);
  expect(JSON.stringify(error)).not.toMatch(/AKIATEST|127\.0\.0\.1|trigate-test/);
  expect(trouble).toHaveLength(1);
});

test('a request to an unreachable S3 store fails as unavailable', async () => {
  await s3.close();
  await expect(storage.open(newKey())).rejects.toMatchObject(unavailable);
});

test('reading a file fails if its transfer is interrupted', async () => {
  const key = newKey();
  await put(randomBytes(1_000_000), key);
  s3.faults.push('cutBody');
  const opened = await storage.open(key);
  expect(opened?.byteSize).toBe(1_000_000);
  await expect(buffer(opened?.stream ?? Readable.from([]))).rejects.toThrow(/aborted|hang up|reset/);
});

test('a part of a large file is sent again if it fails', async () => {
  s3.faults.push('slowDown', 'slowDown');
  const bytes = randomBytes(large);
  const key = newKey();
  await put(bytes, key);
  expect(s3.objects.get(key)?.bytes.equals(bytes)).toBe(true);
});

test('an upload whose completion has no response fails, has stored the whole file, and can be repeated', async () => {
  const bytes = randomBytes(large);
  const key = newKey();
  const writing = put(bytes, key);
  // After the begin and two parts, the next request is the completion.
  while (s3.requests.length < 3) await new Promise((next) => setImmediate(next));
  s3.faults.push('lostAnswer');
  await expect(writing).rejects.toMatchObject(unavailable);
  expect(s3.objects.get(key)?.bytes.equals(bytes)).toBe(true);
  expect(await put(bytes, key)).toMatchObject({ byteSize: large });
  expect(s3.uploads.size).toBe(0);
});
