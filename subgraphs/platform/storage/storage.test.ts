import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import mongoose from 'mongoose';
import { unique } from '../../../test/support/seed.ts';
import { openS3Server, type S3Server } from '../../../test/support/servers/openS3Server.ts';
import { connectTestDatabase } from '../../../test/support/stack/connectTestDatabase.ts';
import { createDiskStorage } from './diskStorage.ts';
import { createGridFsStorage } from './gridFsStorage.ts';
import type { Storage } from './Storage.ts';
import { createS3Storage } from './s3Storage.ts';
import { storageKey } from './storageKey.ts';

let database: Awaited<ReturnType<typeof connectTestDatabase>>;
let folder: string;
let s3: S3Server;

beforeAll(async () => {
  database = await connectTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'trigate-files-'));
  s3 = await openS3Server();
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await s3.close();
  await database.close();
});

const facts = { contentType: 'application/octet-stream' };
const newKey = (installationId = 'ins_one') => storageKey(installationId, 'exports', unique('exp'));
const put = (storage: Storage, key: string, bytes: Buffer | string) =>
  storage.put(key, Readable.from([Buffer.from(bytes as string)]), facts);
async function read(storage: Storage, key: string): Promise<string> {
  const opened = await storage.open(key);
  return opened ? (await buffer(opened.stream)).toString('latin1') : 'nothing';
}

const collection = (name: string) =>
  mongoose.connection.collection<{ _id: mongoose.mongo.ObjectId; [member: string]: unknown }>(
    `stored_files.${name}`,
  );

/** Names of all files in a store, complete or not. */
const left = {
  disk: async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort(),
  gridfs: async () => {
    const ids: string[] = [];
    for (const name of ['files', 'chunks', 'drafts'])
      for (const { _id } of await collection(name).find({}).sort({ _id: 1 }).toArray())
        ids.push(`${name} ${_id.toHexString()}`);
    return ids;
  },
  s3: async () => [...s3.objects.keys(), ...s3.uploads.keys()].sort(),
};

/** File sizes around the size of a GridFS chunk. */
const sizes = [0, 1, 255 * 1024, 255 * 1024 + 1];

describe.each([
  ['disk', () => createDiskStorage(folder), left.disk, [...sizes, 3_000_000]],
  ['gridfs', createGridFsStorage, left.gridfs, [...sizes, 3_000_000]],
  ['s3', () => createS3Storage({ ...s3, timeoutMs: 2000 }), left.s3, [...sizes, 8 * 1024 * 1024, 17_000_000]],
] as const)('files on %s', (_, create, everything, ownSizes) => {
  let storage: Storage;
  beforeAll(() => void (storage = create()));

  test.each(ownSizes)('of %d bytes are read as they were written', async (size) => {
    const bytes = randomBytes(size);
    const key = newKey();
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const stored = await storage.put(key, Readable.from(cut(bytes, 64 * 1024)), facts);
    expect(stored).toEqual({ byteSize: size, sha256 });
    const opened = await storage.open(key);
    expect(opened?.byteSize).toBe(size);
    expect((await buffer(opened?.stream ?? Readable.from([]))).equals(bytes)).toBe(true);
    expect(await storage.exists(key)).toBe(true);
  });

  test.each([
    [0, 0],
    [255 * 1024 - 10, 520 * 1024],
    [600 * 1024 - 1, 600 * 1024 - 1],
    [0, 600 * 1024 - 1],
  ])('are read from byte %d to byte %d', async (start, end) => {
    const bytes = randomBytes(600 * 1024);
    const key = newKey();
    await put(storage, key, bytes);
    const opened = await storage.open(key, { start, end });
    expect(opened?.byteSize).toBe(bytes.length);
    const part = await buffer(opened?.stream ?? Readable.from([]));
    expect(part.equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  test('that do not exist are read as null and deleted without an error', async () => {
    const key = newKey();
    expect(await storage.open(key)).toBeNull();
    expect(await storage.exists(key)).toBe(false);
    await storage.delete(key);
  });

  test('are replaced and deleted completely', async () => {
    const before = await everything();
    const key = newKey();
    await put(storage, key, 'old and long');
    const whole = await everything();
    await put(storage, key, 'new');
    expect(await read(storage, key)).toBe('new');
    expect(await everything()).toHaveLength(whole.length);
    await storage.delete(key);
    expect(await read(storage, key)).toBe('nothing');
    expect(await everything()).toEqual(before);
  });

  test('that are written ten times concurrently are stored once', async () => {
    const before = await everything();
    const key = newKey();
    await Promise.all(Array.from({ length: 10 }, (_, index) => put(storage, key, `version ${index}`)));
    expect(await read(storage, key)).toMatch(/^version \d$/);
    await storage.delete(key);
    expect(await everything()).toEqual(before);
  });

  test.each([
    ['fails', new Error('cut')],
    ['ends too early', undefined],
  ])('whose source %s keep their previous content', async (_, failure) => {
    const key = newKey();
    await put(storage, key, 'before');
    const before = await everything();
    const source = breakOff(9 * 1024 * 1024, (stream) => stream.destroy(failure));
    await expect(storage.put(key, source, facts)).rejects.toThrow(failure?.message ?? /premature/i);
    expect(await read(storage, key)).toBe('before');
    expect(await everything()).toEqual(before);
  });

  test('whose upload is aborted are not stored', async () => {
    const before = await everything();
    const calling = new AbortController();
    const source = breakOff(800 * 1024, () => calling.abort());
    const { signal } = calling;
    await expect(storage.put(newKey(), source, { ...facts, signal })).rejects.toThrow(/abort/i);
    expect(await everything()).toEqual(before);
  });

  test('of one installation cannot be read or deleted by another one', async () => {
    const [key = '', other = ''] = ['ins_one', 'ins_two'].map((id) => storageKey(id, 'exports', 'exp_1'));
    await put(storage, key, 'one');
    expect(await storage.open(other)).toBeNull();
    await storage.delete(other);
    expect(await read(storage, key)).toBe('one');
  });

  test.each([
    '',
    'exp_1',
    '../exports/exp_1',
    'ins_one/../ins_two/exp_1',
    'ins_one/exports/..',
    'ins_one/exports/../../x',
    'ins_one/exports/a/b',
    'ins_one//exp_1',
    '/ins_one/exports/exp_1',
    'ins_one/exports/exp_1\0',
    'ins_one/exports/exp_1\n',
    'ins_one\\exports\\exp_1',
    `ins_one/exports/${'x'.repeat(129)}`,
  ])('cannot have the key %j', async (key) => {
    const works = [storage.open(key), storage.exists(key), storage.delete(key), put(storage, key, 'x')];
    for (const { status, reason } of (await Promise.allSettled(works)) as PromiseRejectedResult[])
      expect([status, reason]).toEqual(['rejected', expect.any(RangeError)]);
  });
});

/** Bytes in pieces of a size. */
function* cut(bytes: Buffer, size: number): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/** A source that calls `happen` after its bytes instead of ending. */
function breakOff(size: number, happen: (source: Readable) => void): Readable {
  let sent = 0;
  return new Readable({
    read() {
      if (sent >= size) return happen(this);
      sent += 64 * 1024;
      this.push(randomBytes(64 * 1024));
    },
  });
}

describe('drafts of a killed process', () => {
  const yesterday = new Date(Date.now() - 25 * 3600 * 1000);

  test('are removed from the disk after one day', async () => {
    const old = path.join(folder, 'drafts', 'old');
    const young = path.join(folder, 'drafts', 'young');
    for (const draft of [old, young]) await writeFile(draft, 'half');
    await utimes(old, yesterday, yesterday);
    await put(createDiskStorage(folder), newKey(), 'abc');
    expect(await readdir(path.join(folder, 'drafts'))).toEqual(['young']);
    await rm(young);
  });

  test('are removed from the database after one day, unless their file was completed', async () => {
    const storage = createGridFsStorage();
    const key = newKey();
    await put(storage, key, 'whole');
    const whole = await collection('files').findOne({ filename: key });
    const [old, young] = [new mongoose.mongo.ObjectId(), new mongoose.mongo.ObjectId()];
    for (const files_id of [old, young])
      await collection('chunks').insertOne({ _id: new mongoose.mongo.ObjectId(), files_id, n: 0, data: 'x' });
    const ages = [[old, yesterday] as const, [young, new Date()] as const, [whole?._id, yesterday] as const];
    for (const [_id = old, at] of ages) await collection('drafts').insertOne({ _id, at });
    await put(storage, newKey(), 'abc');
    expect(await collection('drafts').find({}).toArray()).toMatchObject([{ _id: young }]);
    expect(await collection('chunks').findOne({ files_id: old })).toBeNull();
    expect(await collection('chunks').findOne({ files_id: young })).not.toBeNull();
    expect(await read(storage, key)).toBe('whole');
  });
});
