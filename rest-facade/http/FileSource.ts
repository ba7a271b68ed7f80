import type { Storage } from '../../subgraphs/platform/storage/Storage.ts';

/** Source of files. */
export interface FileSource {
  readonly storage: Storage;
  /** Secret of purpose `file`, with which links are also signed. */
  readonly secret: Buffer;
  /** The same for the purpose `upload`. */
  readonly uploadSecret: Buffer;
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
}
