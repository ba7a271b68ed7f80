import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { AppError } from '../errors/AppError.ts';
import { bodyOf } from './bodyOf.ts';
import { abandonOldUploads, MultipartUpload } from './MultipartUpload.ts';
import { measureBytes } from './measureBytes.ts';
import type { Storage } from './Storage.ts';
import { assertStorageKey } from './storageKey.ts';

/** Where a bucket is. Credentials come from where the SDK looks for them: variables, profiles, the machine's role. */
export interface S3Settings {
  bucket: string;
  region: string;
  /** Of another service that speaks S3; Amazon's own of the region if unset. */
  endpoint?: string | undefined;
}

/** How the store is spoken to. */
export interface S3Options extends S3Settings {
  credentials?: NonNullable<S3ClientConfig['credentials']>;
  /** Longest silence of the store, in milliseconds. */
  timeoutMs?: number;
  /** Learns what the store answered when it could not be used; callers only hear that it is unavailable. */
  onTrouble?: (error: unknown) => void;
}

/** What is smaller is written in one request; S3 takes no smaller parts than 5 MiB. */
const partSize = 8 * 1024 * 1024;

/**
 * Files in a bucket, by key: for processes that share no file system, and for more bytes than a database should hold.
 * Objects are replaced as a whole and readers never see half of one, which S3 promises; a writing that is called off is
 * aborted, and parts of a process that was killed are given up a day later.
 *
 * @throws AppError `unavailable` from every method when the store does not answer, or refuses
 */
export function createS3Storage({ bucket, onTrouble = () => undefined, ...options }: S3Options): Storage {
  const client = createClient(options);
  const reach = <T>(work: Promise<T>): Promise<T> => work.catch((error: unknown) => refuse(error, onTrouble));
  let swept: Promise<void> | undefined;
  return {
    async put(key, bytes, { contentType, signal }) {
      const target = { Bucket: bucket, Key: assertStorageKey(key) };
      await (swept ??= abandonOldUploads(client, bucket));
      const { chunks, result } = measureBytes(bytes, signal);
      const upload = new MultipartUpload(client, { ...target, ContentType: contentType });
      try {
        for await (const part of cut(chunks)) {
          if (part.isLast && !upload.isBegun) {
            await reach(
              client.send(
                new PutObjectCommand({ ...target, ContentType: contentType, ...bodyOf(part.bytes) }),
              ),
            );
          } else await reach(upload.add(part.bytes));
        }
        const stored = result();
        if (upload.isBegun) await reach(upload.complete(stored.byteSize));
        return stored;
      } catch (error) {
        await upload.abort();
        throw error;
      }
    },
    async open(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const command = new GetObjectCommand({
        Bucket: bucket,
        Key: assertStorageKey(key),
        ...(Range && { Range }),
      });
      const found = await reach(client.send(command).catch(nullIfMissing));
      if (!found) return null;
      const total = /\/(\d+)$/.exec(found.ContentRange ?? '')?.[1] ?? found.ContentLength;
      return { byteSize: Number(total), stream: found.Body as Readable };
    },
    async delete(key) {
      await reach(client.send(new DeleteObjectCommand({ Bucket: bucket, Key: assertStorageKey(key) })));
    },
    async exists(key) {
      const command = new HeadObjectCommand({ Bucket: bucket, Key: assertStorageKey(key) });
      return (await reach(client.send(command).catch(nullIfMissing))) !== null;
    },
  };
}

function createClient({
  region,
  endpoint,
  credentials,
  timeoutMs = 30_000,
}: Omit<S3Options, 'bucket'>): S3Client {
  return new S3Client({
    region,
    // Services of others rarely have a name for each bucket.
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    ...(credentials ? { credentials } : {}),
    // Every request carries a digest of its own, which every service checks; not all know the SDK's newer ones.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: Math.min(timeoutMs, 5000),
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      socketTimeout: timeoutMs,
      // Every download holds one for as long as its reader takes.
      httpAgent: { maxSockets: 200 },
      httpsAgent: { maxSockets: 200 },
    },
  });
}

/** Parts of one size, of which the last one may be shorter, or empty. */
async function* cut(chunks: AsyncIterable<Buffer>): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    size += chunk.length;
    if (size <= partSize) continue;
    const all = Buffer.concat(waiting);
    const end = size - (size % partSize || partSize);
    for (let at = 0; at < end; at += partSize)
      yield { bytes: all.subarray(at, at + partSize), isLast: false };
    waiting = [all.subarray(end)];
    size -= end;
  }
  yield { bytes: Buffer.concat(waiting), isLast: true };
}

function nullIfMissing(error: unknown): null {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  const isMissing = name === 'NoSuchKey' || name === 'NotFound';
  if (isMissing && $metadata?.httpStatusCode === 404) return null;
  throw error;
}

function refuse(error: unknown, onTrouble: (error: unknown) => void): never {
  onTrouble(error);
  throw new AppError('unavailable', 'The store of files cannot be reached right now; try again shortly.', {
    retryAfter: 5,
  });
}
