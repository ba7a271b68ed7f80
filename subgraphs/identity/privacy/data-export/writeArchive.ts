import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { StoredFile } from '../../../platform/storage/Storage.ts';
import type { ExportPart, ExportSubject } from '../../kernel/personal-data/PersonalData.ts';
import { indexPage } from './indexPage.ts';

/** Files of an archive besides texts: the parts, and the page that introduces them. */
export function archiveFileCount(parts: readonly ExportPart[]): number {
  return parts.length + 1;
}

/** Parts of an archive, and the receiver of its progress. */
export interface ArchiveOrder {
  subject: ExportSubject;
  parts: readonly ExportPart[];
  /** Name of the installation, for people. */
  name: string;
  at: Date;
  /** Called after each file; an error ends the archive. */
  onProgress(done: number): Promise<void>;
}

/**
 * Writes an archive while it is being stored: only what is in transit is in memory.
 *
 * @param store takes the bytes, and must write them whole or not at all
 * @throws whatever a part, the progress or the store throws; then nothing is stored
 */
export async function writeArchive(
  order: ArchiveOrder,
  store: (bytes: Readable) => Promise<StoredFile>,
): Promise<StoredFile> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  // The reader gets the error; without a listener it would end the process as well.
  output.on('error', () => undefined);
  const stored = store(output);
  const filled = fill(zip, output, order).catch((error: unknown) => {
    output.destroy(error as Error);
    throw error;
  });
  const [storing, filling] = await Promise.allSettled([stored, filled]);
  // The inner error is more precise than the early end of the bytes.
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

/** One file after the other: the next one is read when this one has been taken. */
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

/** The reader of the bytes has disconnected; it reports the reason. */
class OutputGone extends Error {
  constructor() {
    super('the reader of the archive has disconnected');
    this.name = 'OutputGone';
  }
}

function isGone(error: unknown): boolean {
  return error instanceof OutputGone;
}
