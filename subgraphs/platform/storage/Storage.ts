import type { Readable } from 'node:stream';

/** What is said of bytes that are stored. */
export interface FileFacts {
  /** Media type, for tools that look at the store from outside; links state their own. */
  contentType: string;
  /** Cuts the writing short, which then leaves nothing behind. */
  signal?: AbortSignal;
}

/** Bytes that were written whole. */
export interface StoredFile {
  byteSize: number;
  /** Hexadecimal. */
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
 * Bytes by key, without access rules: callers have checked access before. A key is made by `storageKey`, so it names
 * the installation and cannot lead anywhere else.
 */
export interface Storage {
  /**
   * Writes a file whole or not at all: until it is done, and if the source fails, readers find what was there before.
   * What is answered is safe against loss of power.
   *
   * @throws whatever the source throws
   */
  put(key: string, bytes: Readable, facts: FileFacts): Promise<StoredFile>;
  /** Null when there is no such file. The caller consumes or destroys the stream. */
  open(key: string, range?: ByteRange): Promise<OpenedFile | null>;
  /** A file that is not there is deleted, too. */
  delete(key: string): Promise<void>;
  exists(key: string): Promise<boolean>;
}
