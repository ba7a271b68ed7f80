import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { StoredFile } from '../../../platform/storage/Storage.ts';
import type { ExportPart, ExportSubject } from '../../kernel/personal-data/PersonalData.ts';
import { indexPage } from './indexPage.ts';

/** Returns the number of files in an archive without texts: the parts, and the page that introduces them. */
export function archiveFileCount(parts: readonly ExportPart[]): number {
  return parts.length + 1;
}

/** Parts of an archive, and the callback for its progress. */
export interface ArchiveOrder {
  subject: ExportSubject;
  parts: readonly ExportPart[];
  /** Display name of the installation. */
  name: string;
  at: Date;
  /** Called after each file. An error aborts the archive. */
  onProgress(done: number): Promise<void>;
}

/**
 * Writes an archive while it is being stored, so that only data in transit is in memory.
 *
 * @param store takes the bytes, and must write all of them or none
 * @throws what a part, the progress or the store throws; then nothing is stored
 */
export async function writeArchive(
  order: ArchiveOrder,
  store: (bytes: Readable) => Promise<StoredFile>,
): Promise<StoredFile> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  // The reader gets the error. Without this listener, the error would also end the process.
  output.on('error', () => undefined);
  const stored = store(output);
  const filled = fill(zip, output, order).catch((error: unknown) => {
    output.destroy(error as Error);
    throw error;
  });
  const [storing, filling] = await Promise.allSettled([stored, filled]);
  // The inner error is more precise than the premature end of the stream.
  if (filling.status === 'rejected' && !isGone(filling.reason)) throw filling.reason;
  if (storing.status === 'rejected') throw storing.reason;
  return storing.value;
}

async function fill(
  zip: ZipFile,
  output: Readable,
  { subject, parts, name, at, onProgress }: ArchiveOrder,
): Promise<void> {
  const add = (path: string, text: AsyncIterable<string> | string) =>
    addFile(zip, output, { path, text, at });
  const written: { part: ExportPart; records: number }[] = [];
  for (const part of parts) {
    const counted = { part, records: 0 };
    await add(
      part.file,
      toJson(part.records(subject), () => (counted.records += 1)),
    );
    for await (const { path, text } of part.texts?.(subject) ?? []) await add(path, text);
    written.push(counted);
    await onProgress(written.length);
  }
  await add('index.html', indexPage({ name, at }, written));
  await onProgress(written.length + 1);
  zip.end();
}

async function* toJson(records: AsyncIterable<object>, onRecord: () => void): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const record of records) {
    onRecord();
    yield `${separator}${JSON.stringify(record, null, 2)}`;
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** Adds one file. The next one is read after this one has been consumed. */
function addFile(
  zip: ZipFile,
  output: Readable,
  { path, text, at }: { path: string; text: AsyncIterable<string> | string; at: Date },
): Promise<void> {
  const source = Readable.from(typeof text === 'string' ? [text] : text, { objectMode: false });
  return new Promise((taken, failed) => {
    const onGone = (): void => {
      source.destroy();
      failed(new OutputGone());
    };
    if (output.destroyed) return onGone();
    output.once('close', onGone);
    source.once('error', failed);
    source.once('end', () => {
      output.off('close', onGone);
      taken();
    });
    zip.addReadStream(source, path, { mtime: at });
  });
}

/** Signals that the reader of the bytes has disconnected; the reader reports the reason. */
class OutputGone extends Error {
  constructor() {
    super('the reader of the archive has disconnected');
    this.name = 'OutputGone';
  }
}

function isGone(error: unknown): boolean {
  return error instanceof OutputGone;
}
