import type { FileHandle } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { Storage } from '../../../../platform/storage/Storage.ts';

/** Random access to bytes, so that a long file need not be read completely. */
export interface ByteSource {
  readonly byteSize: number;
  /** Reads the requested number of bytes from `start`, fewer only at the end of the source. */
  read(start: number, length: number): Promise<Buffer>;
}

export function sourceOfBuffer(bytes: Buffer): ByteSource {
  return {
    byteSize: bytes.length,
    read: async (start, length) => bytes.subarray(start, start + length),
  };
}

/** Returns a source of a file. It ends where the file ended when it was opened. */
export function sourceOfFile(file: FileHandle, byteSize: number): ByteSource {
  return {
    byteSize,
    async read(start, length) {
      const wanted = Math.max(0, Math.min(length, byteSize - start));
      const bytes = Buffer.allocUnsafe(wanted);
      let filled = 0;
      while (filled < wanted) {
        const { bytesRead } = await file.read(bytes, filled, wanted - filled, start + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    },
  };
}

/** Returns a source of a stored object. Each read is one request to the store. */
export function sourceOfStorage(storage: Storage, key: string, byteSize: number): ByteSource {
  return {
    byteSize,
    async read(start, length) {
      const end = Math.min(start + length, byteSize) - 1;
      if (end < start) return Buffer.alloc(0);
      const opened = await storage.open(key, { start, end });
      if (!opened) throw new Error('The bytes of the inspected file no longer exist.');
      return buffer(opened.stream);
    },
  };
}
