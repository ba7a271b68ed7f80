import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/** Texts of a ZIP archive by path, read with another implementation. */
export async function readArchive(bytes: Buffer | Readable): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(Buffer.isBuffer(bytes) ? bytes : await buffer(bytes));
  const files = new Map<string, string>();
  for await (const entry of zip.eachEntry()) {
    files.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)));
  }
  return files;
}
