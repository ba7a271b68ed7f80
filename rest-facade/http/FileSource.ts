import type { Storage } from '../../subgraphs/platform/storage/Storage.ts';

/** Where files come from. */
export interface FileSource {
  readonly storage: Storage;
  /** Of purpose `file`: links are made with the same one. */
  readonly secret: Buffer;
  /** The same for the purpose `upload`. */
  readonly uploadSecret: Buffer;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
