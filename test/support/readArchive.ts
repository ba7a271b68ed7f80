import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { fromBuffer } from 'yauzl';

/** Texts of a ZIP archive by path, as another implementation reads them. */
export async function readArchive(bytes: Buffer | Readable): Promise<Map<string, string>> {
  const whole = Buffer.isBuffer(bytes) ? bytes : await buffer(bytes);
  const files = new Map<string, string>();
  await new Promise<void>((done, failed) => {
    fromBuffer(whole, { lazyEntries: true }, (error, zip) => {
      if (error) return failed(error);
      zip.on('error', failed).on('end', done);
      zip.on('entry', (entry) =>
        zip.openReadStream(entry, (broken, stream) => {
          if (broken) return failed(broken);
          text(stream)
            .then((content) => {
              files.set(entry.fileName, content);
              zip.readEntry();
            })
            .catch(failed);
        }),
      );
      zip.readEntry();
    });
  });
  return files;
}
