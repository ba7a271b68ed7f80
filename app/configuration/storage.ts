import type { S3Settings } from '../../subgraphs/platform/storage/s3Storage.ts';
import { choice, type Environment, readAll, required, serverAddress, text } from './Setting.ts';

/** Settings of the file storage. */
export const storageSettings = {
  storage: choice('STORAGE', {
    words: ['auto', 'disk', 'gridfs', 's3'],
    fallback: 'auto',
    meaning:
      '`disk` is `DATA_DIR/files`, `gridfs` the database; `auto`: disk in one process, else the database. See [stores](../how-to/storage.md).',
  }),
  bucket: text('S3_BUCKET', {
    meaning: 'Bucket with `STORAGE=s3`. Credentials are read by the AWS SDK.',
    allowed: 'the name of a bucket',
  }),
  region: text('S3_REGION', {
    fallback: 'us-east-1',
    meaning: 'Region of the bucket.',
    allowed: 'the name of a region',
  }),
  endpoint: serverAddress('S3_ENDPOINT', {
    shown: "Amazon's",
    meaning: 'Endpoint of another S3-compatible service.',
  }),
};

export function readStorage(environment: Environment) {
  const { storage, bucket, region, endpoint } = readAll(storageSettings, environment);
  const s3: S3Settings | undefined =
    storage === 's3'
      ? { bucket: required(storageSettings.bucket, bucket, 'STORAGE=s3'), region, endpoint }
      : undefined;
  return { storage, s3 };
}
