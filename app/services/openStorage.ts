import path from 'node:path';
import type { Logger } from 'pino';
import { createDiskStorage } from '../../subgraphs/platform/storage/diskStorage.ts';
import { createGridFsStorage } from '../../subgraphs/platform/storage/gridFsStorage.ts';
import type { Storage } from '../../subgraphs/platform/storage/Storage.ts';
import type { Configuration } from '../configuration/readConfiguration.ts';
import { assertWritable } from './assertWritable.ts';

/**
 * Returns the file storage: that of `STORAGE`, otherwise the data folder if one process does everything, otherwise the
 * database, which several processes share.
 */
export async function openStorage(
  { storage, dataDir, s3 }: Pick<Configuration, 'storage' | 'dataDir' | 's3'>,
  /** `apart`: whether subgraphs run in separate processes. */
  { apart, log }: { apart: boolean; log: Logger },
): Promise<Storage> {
  if (s3) {
    // The S3 client takes a sixth of a second to load, so only processes that use S3 load it.
    const { createS3Storage } = await import('../../subgraphs/platform/storage/s3Storage.ts');
    return createS3Storage({
      ...s3,
      onTrouble: (error) => log.error({ err: error }, 'store of files unavailable'),
    });
  }
  const kind = storage === 'auto' ? (apart ? 'gridfs' : 'disk') : storage;
  if (kind === 'gridfs') return createGridFsStorage();
  await assertWritable(dataDir);
  return createDiskStorage(path.resolve(dataDir, 'files'));
}
