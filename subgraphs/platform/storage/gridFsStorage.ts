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
/** Age after which chunks of a killed process are removed; longer than any upload takes. */
const draftLifeMs = dayMs;
/** Sixteen chunks of the driver's usual size. */
const windowSize = 16 * 255 * 1024;
/** Removed with one upload, so that an upload spends little time on leftovers of others. */
const sweptAtOnce = 5;

/** A started upload. GridFS names a file when it is complete; until then, only this record refers to its chunks. */
interface Draft {
  _id: ObjectId;
  at: Date;
}

/**
 * Returns a storage in the deployment's database (GridFS), for separate subgraphs without a shared file system. The
 * bucket is outside the installation scope, because GridFS writes its own documents; keys name the installation.
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
 * Reads a file in windows, each with a separate query. With one query of a whole file, the driver would buffer sixteen
 * megabytes for every slow reader.
 */
async function* readWindows(
  bucket: mongoose.mongo.GridFSBucket,
  id: ObjectId,
  first: number,
  last: number,
): AsyncGenerator<Buffer> {
  for (let start = first; start <= last; ) {
    // At the end of a chunk, so that no chunk is read twice.
    const end = Math.min(start - (start % windowSize) + windowSize, last + 1);
    yield* bucket.openDownloadStream(id, { start, end }) as AsyncIterable<Buffer>;
    start = end;
  }
}

/** Writes sequentially, so that no write is pending during the cleanup after a failure. */
async function write(
  upload: mongoose.mongo.GridFSBucketWriteStream,
  chunks: AsyncIterable<Buffer>,
): Promise<void> {
  // Failures are passed to the callbacks. Without this listener, they would also end the process.
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

/** Returns the latest started of several files with one name. */
async function findNewest(
  bucket: mongoose.mongo.GridFSBucket,
  key: string,
): Promise<mongoose.mongo.GridFSFile | null> {
  const [newest] = await bucket.find({ filename: key }, { sort: { _id: -1 }, limit: 1 }).toArray();
  return newest ?? null;
}

/** Keeps one file of concurrent writes; each of them deletes all but the same one. */
async function keepNewest(bucket: mongoose.mongo.GridFSBucket, key: string): Promise<void> {
  const files = await bucket.find({ filename: key }, { sort: { _id: -1 } }).toArray();
  for (const { _id } of files.slice(1)) await remove(bucket, _id);
}

/** Removes a file, which another process may have removed already. */
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
    // The upload was completed, but the process crashed before it recorded this.
    const isWhole = await openedDatabase().collection(`${bucketName}.files`).findOne({ _id });
    if (isWhole) await draftsOf().deleteOne({ _id });
    else await discard(_id);
  }
}
