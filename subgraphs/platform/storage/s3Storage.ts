import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { AppError } from '../errors/AppError.ts';
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

/** A smaller file is written in one request, a larger one in parts of this size, of which one is in memory at a time. */
const partSize = 8 * 1024 * 1024;

/**
 * Files in a bucket, by key: for processes that share no file system, and for more bytes than a database should hold.
 * S3 promises that objects are replaced as a whole and that readers never see half of one. Parts of an upload that fails
 * are deleted; those of a process that was killed are left to a lifecycle rule of the bucket.
 *
 * @throws AppError `unavailable` from every method when the store does not answer, or refuses
 */
export function createS3Storage({ bucket, onTrouble = () => undefined, ...options }: S3Options): Storage {
  const client = createClient(options);
  const reach = <T>(work: Promise<T>): Promise<T> => work.catch((error: unknown) => refuse(error, onTrouble));
  return {
    async put(key, bytes, { contentType, signal }) {
      const { chunks, result } = measureBytes(bytes, signal);
      const Body = Readable.from(chunks);
      let sourceFault: Error | undefined;
      Body.once('error', (error) => {
        sourceFault = error;
      });
      const upload = new Upload({
        client,
        partSize,
        queueSize: 1,
        params: { Bucket: bucket, Key: assertStorageKey(key), ContentType: contentType, Body },
      });
      await upload.done().catch((error: unknown) => {
        throw sourceFault ?? refuse(error, onTrouble);
      });
      return result();
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

function nullIfMissing(error: unknown): null {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  const isMissing = name === 'NoSuchKey' || name === 'NotFound';
  if (isMissing && $metadata?.httpStatusCode === 404) return null;
  throw error;
}

function refuse(error: unknown, onTrouble: (error: unknown) => void): never {
  onTrouble(error);
  throw new AppError('unavailable', 'The file storage cannot be reached. Retry shortly.', {
    retryAfter: 5,
  });
}
