import path from 'node:path';
import { createDiskStorage } from '../subgraphs/platform/storage/diskStorage.ts';
import { createGridFsStorage } from '../subgraphs/platform/storage/gridFsStorage.ts';
import type { Storage } from '../subgraphs/platform/storage/Storage.ts';
import type { Configuration } from './readConfiguration.ts';

/**
 * Where this deployment keeps files: as `STORAGE` says, else in the data folder of the one process that does everything,
 * else, for processes that share nothing but their database, in that.
 *
 * @param apart whether subgraphs run in processes of their own
 */
export function openStorage(
  { storage, dataDir }: Pick<Configuration, 'storage' | 'dataDir'>,
  apart: boolean,
): Storage {
  const kind = storage === 'auto' ? (apart ? 'gridfs' : 'disk') : storage;
  return kind === 'disk' ? createDiskStorage(path.resolve(dataDir, 'files')) : createGridFsStorage();
}
