import type { Readable } from 'node:stream';

/** Metadata of stored bytes. */
export interface FileFacts {
  /** Media type, for external tools; links state their own. */
  contentType: string;
  /** Aborts the write, which then stores nothing. */
  signal?: AbortSignal;
}

/** Bytes that were written whole. */
export interface StoredFile {
  byteSize: number;
  /** Hexadecimal digest. */
  sha256: string;
}

/** Bytes that are being read. */
export interface OpenedFile {
  /** Size of the whole file, also where a range of it is read. */
  byteSize: number;
  stream: Readable;
}

/** Bytes from `start` to `end`, both included, counted from 0; `end` is within the file. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Bytes by key, without access rules; callers have checked access before. `storageKey` creates the key, so it names the
 * installation and cannot lead anywhere else.
 */
export interface Storage {
  /**
   * Writes a file atomically: until it is complete, and if the source fails, readers find the previous content. A
   * completed write is durable.
   *
   * @throws errors of the source
   */
  put(key: string, bytes: Readable, facts: FileFacts): Promise<StoredFile>;
  /** Opens a file; null if it does not exist. The caller consumes or destroys the stream. */
  open(key: string, range?: ByteRange): Promise<OpenedFile | null>;
  /** Deletes a file. A missing file is not an error. */
  delete(key: string): Promise<void>;
  exists(key: string): Promise<boolean>;
}
