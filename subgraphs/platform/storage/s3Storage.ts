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

/** Location of a bucket. The SDK finds the credentials in variables, profiles or the role of the machine. */
export interface S3Settings {
  bucket: string;
  region: string;
  /** Endpoint of another S3-compatible service; that of Amazon's region by default. */
  endpoint?: string | undefined;
}

/** Connection options of the store. */
export interface S3Options extends S3Settings {
  credentials?: NonNullable<S3ClientConfig['credentials']>;
  /** Maximum idle time of the store, in milliseconds. */
  timeoutMs?: number;
  /** Called with the error of an unusable store; callers only learn that it is unavailable. */
  onTrouble?: (error: unknown) => void;
}

/** Part size in bytes. A smaller file is written in one request; of a larger one, one part is in memory at a time. */
const partSize = 8 * 1024 * 1024;

/**
 * Returns a storage in a bucket, for processes without a shared file system, and for more bytes than a database should
 * store. S3 replaces objects atomically. Parts of a failed upload are deleted; those of a killed process are left to a
 * lifecycle rule of the bucket.
 *
 * @throws AppError `unavailable` from every method if the store does not respond, or refuses
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
    // S3-compatible services rarely support a host name for each bucket.
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    ...(credentials ? { credentials } : {}),
    // Every request has a digest, which every service checks; not all services support the SDK's newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: Math.min(timeoutMs, 5000),
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      socketTimeout: timeoutMs,
      // Each download occupies a socket while its reader consumes it.
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
