import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import busboy, { type FileInfo } from 'busboy';
import { type FieldProblem, shown } from '../../../schema/Problem.ts';
import { invalidMembers, Refusal } from '../Refusal.ts';
import { hasBody } from './readBody.ts';
import { assertPresent, watchBody } from './watchBody.ts';

/** Media type of forms with a file in them. */
export const multipartType = 'multipart/form-data';

/** Maximum size of a form in bytes, including the file. */
const formBytes = 25 * 1024 * 1024;
const limits = { fields: 20, fieldNameSize: 100, fieldSize: 8192, files: 1, parts: 21, headerPairs: 50 };

/** A form that was read to its end. */
export interface Form {
  readonly fields: ReadonlyMap<string, string[]>;
  readonly filename: string;
  /** Type stated by the part. */
  readonly contentType: string;
  /** The file's bytes. */
  readonly bytes: Readable;
  /** Discards the file. */
  abandon(): void;
}

/** Returns whether the content type of the request is such a form. */
export function isForm({ headers }: IncomingMessage): boolean {
  return /^multipart\/form-data(?:;|\s*$)/i.test((headers['content-type'] ?? '').trim());
}

/**
 * Reads a form (RFC 7578) of fields and exactly one part `file`, in any order. The file is kept in a temporary file,
 * because the fields that decide about it may follow it.
 *
 * @throws Refusal 400 for an invalid form, 413 for more than 25 MiB, 415 for an encoded one, 422 for a form with no
 *   or several files; ClientGone
 */
export async function readForm(request: IncomingMessage): Promise<Form> {
  if (request.headers['content-encoding'] !== undefined)
    throw new Refusal('unsupported_media_type', 'A form with a file must be sent without Content-Encoding.');
  if (Number(request.headers['content-length'] ?? 0) > formBytes)
    throw new Refusal('payload_too_large', `A form with a file must have at most ${formBytes} bytes.`);
  if (!hasBody(request)) throw missing();
  assertPresent(request);
  const parser = openParser(request);
  const file = await openTemporaryFile();
  try {
    const { fields, filename, mimeType } = await readParts(request, parser, file);
    const bytes = file.createReadStream({ start: 0 });
    return { fields, filename, contentType: mimeType, bytes, abandon: () => void bytes.destroy() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Parts of a form besides the bytes of its file. */
type Parts = Pick<Form, 'fields' | 'filename'> & Pick<FileInfo, 'mimeType'>;

/** Reads the parts of a form, and writes the bytes of its file. */
async function readParts(
  request: IncomingMessage,
  parser: busboy.Busboy,
  target: FileHandle,
): Promise<Parts> {
  const fields = new Map<string, string[]>();
  const read = Promise.withResolvers<void>();
  let writing: Promise<void> | undefined;
  let source: Readable | undefined;
  let info: FileInfo | undefined;
  let hasFailed = false;
  const stop = watchBody(request, formBytes, (error) => fail(error));
  function fail(error: Error): void {
    hasFailed = true;
    stop();
    source?.destroy(error);
    parser.destroy();
    read.reject(error);
  }
  parser
    .on('field', (name, value, { valueTruncated, nameTruncated }) => {
      if (valueTruncated || nameTruncated) fail(new Refusal('payload_too_large', tooLong(name)));
      else fields.set(name, [...(fields.get(name) ?? []), value]);
    })
    .on('file', (name, bytes, stated) => {
      bytes.on('error', () => undefined);
      // The parser finishes the chunk that it was reading when it failed.
      if (hasFailed) return void bytes.resume();
      info = stated;
      source = bytes;
      writing = target.writeFile(bytes);
      writing.catch(fail);
      if (name !== 'file') fail(invalid(name, 'The file must be the part "file".', 'unknown_field'));
    })
    .on('filesLimit', () => fail(invalid('file', 'The form must contain exactly one file.')))
    .on('fieldsLimit', () => fail(malformed()))
    .on('partsLimit', () => fail(malformed()))
    .on('error', () => fail(malformed()))
    .on('close', () => read.resolve());
  request.pipe(parser);
  try {
    await read.promise;
    await writing;
  } finally {
    stop();
    await writing?.catch(() => undefined);
  }
  if (!info) throw missing();
  const { filename, mimeType } = info;
  return { fields, filename: filename ?? '', mimeType };
}

/** Opens a file without a name, whose space is free when it is closed, also by the end of the process. */
async function openTemporaryFile(): Promise<FileHandle> {
  const name = path.join(tmpdir(), `trigate-form-${randomUUID()}`);
  const file = await open(name, 'wx+', 0o600);
  await unlink(name);
  return file;
}

function openParser({ headers }: IncomingMessage): busboy.Busboy {
  try {
    return busboy({ headers, limits, defParamCharset: 'utf8', highWaterMark: 64 * 1024 });
  } catch {
    throw new Refusal('unsupported_media_type', `The Content-Type ${multipartType} needs a boundary.`);
  }
}

function invalid(name: string, detail: string, code = 'validation_failed'): Refusal {
  const problem: FieldProblem = {
    pointer: `#/${encodeURIComponent(shown(name).toWellFormed())}`,
    code,
    detail,
  };
  return invalidMembers([problem]);
}

function missing(): Refusal {
  return invalid('file', 'The form has no file. Send it as the part "file".');
}

function malformed(): Refusal {
  return new Refusal('malformed_request', `The body is not a complete form of the type ${multipartType}.`);
}

function tooLong(name: string): string {
  return `The field "${shown(name)}" is too long.`;
}
