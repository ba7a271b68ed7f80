import type { IncomingMessage } from 'node:http';
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

/** A form that was read up to its file, whose bytes are still arriving. */
export interface Form {
  readonly fields: ReadonlyMap<string, string[]>;
  readonly filename: string;
  /** Type stated by the part. */
  readonly contentType: string;
  /** The file's bytes; the stream fails for any error in the form. */
  readonly bytes: Readable;
  /** Settles when the form is read to its end; rejects with a Refusal or `ClientGone`. */
  readonly finished: Promise<void>;
  /** Discards the rest of the body. */
  abandon(): void;
}

/** Returns whether the content type of the request is such a form. */
export function isForm({ headers }: IncomingMessage): boolean {
  return /^multipart\/form-data(?:;|\s*$)/i.test((headers['content-type'] ?? '').trim());
}

/**
 * Reads a form (RFC 7578) of fields followed by exactly one part `file`. Its bytes are read on demand and not buffered.
 *
 * @throws Refusal 400 for an invalid form, 413 for more than 25 MiB, 415 for an encoded one, 422 for a form with no
 *   or several files, or with fields after the file; ClientGone
 */
export async function readForm(request: IncomingMessage): Promise<Form> {
  if (request.headers['content-encoding'] !== undefined)
    throw new Refusal('unsupported_media_type', 'A form with a file must be sent without Content-Encoding.');
  if (Number(request.headers['content-length'] ?? 0) > formBytes)
    throw new Refusal('payload_too_large', `A form with a file must have at most ${formBytes} bytes.`);
  if (!hasBody(request)) throw missing();
  assertPresent(request);
  const parser = openParser(request);
  const fields = new Map<string, string[]>();
  let stream: Readable | undefined;
  let failure: Error | undefined;
  const done = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<[Readable, FileInfo]>();
  const stop = watchBody(request, formBytes, (error) => fail(error));
  // Both are awaited later; this handler prevents an unhandled rejection before that.
  for (const { promise } of [done, begun]) promise.catch(() => undefined);
  function fail(error: Error): void {
    if (failure) return;
    failure = error;
    stop();
    stream?.destroy(error);
    parser.destroy();
    begun.reject(error);
    done.reject(error);
  }
  parser
    .on('field', (name, value, info) => {
      if (info.valueTruncated || info.nameTruncated) fail(new Refusal('payload_too_large', tooLong(name)));
      else if (stream) fail(invalid(name, 'Form fields must precede the file. Send the part "file" last.'));
      else fields.set(name, [...(fields.get(name) ?? []), value]);
    })
    .on('file', (name, file, info) => {
      file.on('error', () => undefined);
      if (name !== 'file') fail(invalid(name, 'The file must be the part "file".', 'unknown_field'));
      if (failure) return void file.resume();
      stream = file;
      begun.resolve([file, info]);
    })
    .on('filesLimit', () => fail(invalid('file', 'The form must contain exactly one file.')))
    .on('fieldsLimit', () => fail(malformed()))
    .on('partsLimit', () => fail(malformed()))
    .on('error', () => fail(malformed()))
    .on('close', () => {
      if (!stream) return fail(missing());
      stop();
      done.resolve();
    });
  request.pipe(parser);
  const [bytes, { filename, mimeType }] = await begun.promise;
  return {
    fields,
    filename: filename ?? '',
    contentType: mimeType,
    bytes,
    finished: done.promise,
    abandon: () => fail(malformed()),
  };
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
