import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import pino from 'pino';
import { storageKey } from '../../subgraphs/platform/storage/storageKey.ts';
import { openS3Server } from '../../test/support/servers/openS3Server.ts';
import { perFile } from '../../test/support/stack/lazily.ts';
import { readConfiguration } from '../configuration/readConfiguration.ts';
import { openStorage } from './openStorage.ts';

const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;
const before = names.map((name) => [name, process.env[name]] as const);

const s3 = perFile(() => openS3Server());
afterAll(async () => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await s3.close();
});

test('opens a bucket with the settings and credentials of the environment', async () => {
  process.env.AWS_ACCESS_KEY_ID = s3.credentials.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = s3.credentials.secretAccessKey;
  const configuration = readConfiguration({
    STORAGE: 's3',
    S3_ENDPOINT: s3.endpoint,
    S3_BUCKET: s3.bucket,
    S3_REGION: s3.region,
  });
  const storage = await openStorage(configuration, { apart: false, log: pino({ level: 'silent' }) });
  const key = storageKey('ins_one', 'media', 'med_1');
  await storage.put(key, Readable.from([Buffer.from('abc')]), { contentType: 'text/plain' });
  expect([...s3.objects.keys()]).toEqual([key]);
  const opened = await storage.open(key);
  expect(await text(opened?.stream ?? Readable.from([]))).toBe('abc');
});
