import { Readable } from 'node:stream';
import mongoose from 'mongoose';
import { openedDatabase } from '../mongo/openedDatabase.ts';
import { dayMs } from '../time/durations.ts';
import { measureBytes } from './measureBytes.ts';
import type { Storage } from './Storage.ts';
import { assertStorageKey } from './storageKey.ts';

type ObjectId = mongoose.mongo.ObjectId;

/** Name of the bucket, in front of its collections. */
const bucketName = 'stored_files';
/** Chunks of a process that was killed are removed when they are older than any upload takes. */
const draftLifeMs = dayMs;
/** Sixteen chunks of the driver's usual size. */
const windowSize = 16 * 255 * 1024;
/** Removed with one upload, so that an upload spends little time on leftovers of others. */
const sweptAtOnce = 5;

/** An upload that has begun. GridFS names a file when it is whole; until then only this knows its chunks. */
interface Draft {
  _id: ObjectId;
  at: Date;
}

/**
 * Files in the deployment's database (GridFS): for subgraphs that run apart and share no file system. The bucket lies
 * outside of the installation scope, because GridFS writes its own documents; keys name the installation.
 */
export function createGridFsStorage(): Storage {
  return {
    async put(key, bytes, { contentType, signal }) {
      const [installationId] = assertStorageKey(key).split('/');
      const bucket = openBucket();
      await sweep();
      const upload = bucket.openUploadStream(key, { metadata: { installationId, contentType } });
      await draftsOf().insertOne({ _id: upload.id, at: new Date() });
      const { chunks, result } = measureBytes(bytes, signal);
      try {
        await write(upload, chunks);
      } catch (error) {
        await discard(upload.id);
        throw error;
      }
      await draftsOf().deleteOne({ _id: upload.id });
      await keepNewest(bucket, key);
      return result();
    },
    async open(key, range) {
      const bucket = openBucket();
      const file = await findNewest(bucket, assertStorageKey(key));
      if (!file) return null;
      const { start, end } = range ?? { start: 0, end: file.length - 1 };
      const bytes = readWindows(bucket, file._id, start, end);
      return { byteSize: file.length, stream: Readable.from(bytes, { objectMode: false }) };
    },
    async delete(key) {
      const bucket = openBucket();
      for (const { _id } of await bucket.find({ filename: assertStorageKey(key) }).toArray())
        await remove(bucket, _id);
    },
    exists: async (key) => (await findNewest(openBucket(), assertStorageKey(key))) !== null,
  };
}

/**
 * Reads a piece at a time, each with a query of its own: one query of a whole file would have the driver hold pages
 * of sixteen megabytes for every reader, however slow.
 */
async function* readWindows(
  bucket: mongoose.mongo.GridFSBucket,
  id: ObjectId,
  first: number,
  last: number,
): AsyncGenerator<Buffer> {
  for (let start = first; start <= last; ) {
    // Where a chunk ends, so that none is read twice.
    const end = Math.min(start - (start % windowSize) + windowSize, last + 1);
    yield* bucket.openDownloadStream(id, { start, end }) as AsyncIterable<Buffer>;
    start = end;
  }
}

/** One write after the other: when it fails nothing is under way that would come after the clearing up. */
async function write(
  upload: mongoose.mongo.GridFSBucketWriteStream,
  chunks: AsyncIterable<Buffer>,
): Promise<void> {
  // Failures are passed to the callbacks; without a listener they would end the process as well.
  upload.on('error', () => undefined);
  for await (const chunk of chunks) await done((tell) => upload.write(chunk, tell));
  await done((tell) => upload.end(tell));
}

function done(work: (tell: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => work((error) => (error ? reject(error) : resolve())));
}

function openBucket(): mongoose.mongo.GridFSBucket {
  return new mongoose.mongo.GridFSBucket(openedDatabase(), { bucketName });
}

function draftsOf(): mongoose.mongo.Collection<Draft> {
  return openedDatabase().collection<Draft>(`${bucketName}.drafts`);
}

/** Of several files with one name the one that was begun last counts. */
async function findNewest(
  bucket: mongoose.mongo.GridFSBucket,
  key: string,
): Promise<mongoose.mongo.GridFSFile | null> {
  const [newest] = await bucket.find({ filename: key }, { sort: { _id: -1 }, limit: 1 }).toArray();
  return newest ?? null;
}

/** Of concurrent writes one file is left: each deletes all but the same one. */
async function keepNewest(bucket: mongoose.mongo.GridFSBucket, key: string): Promise<void> {
  const files = await bucket.find({ filename: key }, { sort: { _id: -1 } }).toArray();
  for (const { _id } of files.slice(1)) await remove(bucket, _id);
}

/** Another process may have removed it meanwhile. */
async function remove(bucket: mongoose.mongo.GridFSBucket, id: ObjectId): Promise<void> {
  await bucket.delete(id).catch((error: unknown) => {
    if (!(error instanceof mongoose.mongo.MongoRuntimeError)) throw error;
  });
}

async function discard(id: ObjectId): Promise<void> {
  await openedDatabase().collection(`${bucketName}.chunks`).deleteMany({ files_id: id });
  await draftsOf().deleteOne({ _id: id });
}

async function sweep(): Promise<void> {
  const old = { at: { $lt: new Date(Date.now() - draftLifeMs) } };
  const drafts = await draftsOf()
    .find(old, { sort: { _id: 1 }, limit: sweptAtOnce })
    .toArray();
  for (const { _id } of drafts) {
    // It became whole, and the process ended before it could say so.
    const isWhole = await openedDatabase().collection(`${bucketName}.files`).findOne({ _id });
    if (isWhole) await draftsOf().deleteOne({ _id });
    else await discard(_id);
  }
}
