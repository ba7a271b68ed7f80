import { pipeline } from 'node:stream/promises';
import { readFileToken } from '../../../subgraphs/platform/storage/fileToken.ts';
import type { ByteRange, OpenedFile, Storage } from '../../../subgraphs/platform/storage/Storage.ts';
import type { RouteHandler } from '../compileRoute.ts';
import type { Exchange, Headers } from '../Exchange.ts';
import type { Gateway } from '../Gateway.ts';
import { ClientGone, Refusal } from '../Refusal.ts';

/** Where files come from. */
export interface FileSource {
  readonly storage: Storage;
  /** Of purpose `file`: links are made with the same one. */
  readonly secret: Buffer;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A file that the holder of a link may have. */
interface Delivery {
  readonly key: string;
  readonly headers: Headers;
}

/**
 * `/api/v1/files/{fileToken}`: streams the bytes that a link stands for. The link is the proof: `Authorization` is not
 * looked at, and whatever is wrong with a link is 404 in the same words.
 */
export function createFileDelivery<Context>(
  gateway: Gateway<Context>,
  source: FileSource,
): RouteHandler<Context> {
  return async (exchange, [token = '']) => {
    const { request, response, requestId } = exchange;
    const context = await gateway.openContext(request, { ignoreAuthorization: true, requestId, response });
    exchange.context = context;
    const delivery = findDelivery(source, token, gateway.installationIdOf(context));
    const file = delivery && (await source.storage.open(delivery.key));
    if (!file)
      throw new Refusal('not_found', 'This file does not exist, or the link to it is not good any more.');
    const range = readRange(request.headers, file.byteSize);
    if (!range) return deliver(exchange, 200, { ...delivery.headers, 'Content-Length': file.byteSize }, file);
    file.stream.destroy();
    const part = await source.storage.open(delivery.key, range);
    if (!part) throw new Refusal('not_found', 'This file was removed a moment ago.');
    const headers = {
      ...delivery.headers,
      'Content-Length': range.end - range.start + 1,
      'Content-Range': `bytes ${range.start}-${range.end}/${file.byteSize}`,
    };
    return deliver(exchange, 206, headers, part);
  };
}

/** What a token stands for in this installation. So far every file is private; public ones will be found by content. */
function findDelivery({ secret, now }: FileSource, token: string, installationId: string): Delivery | null {
  const grant = readFileToken(secret, token, now());
  if (!grant || grant.installationId !== installationId) return null;
  return {
    key: grant.key,
    headers: {
      'Content-Type': grant.contentType,
      'Content-Disposition': toAttachment(grant.filename),
      'Cache-Control': 'private, no-store',
      'Accept-Ranges': 'bytes',
      'X-Content-Type-Options': 'nosniff',
      // A browser that shows it all the same runs nothing of it.
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
  };
}

/** RFC 6266 with the extended notation of RFC 8187 for names beyond ASCII. */
export function toAttachment(filename: string): string {
  const name = filename.toWellFormed();
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  const extended = encodeURIComponent(name).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${extended}`}`;
}

/**
 * The one range that is asked for and that the file has (RFC 9110, 14.2). Several ranges, other units, a range behind
 * the end or one that depends on a validator are answered with the whole file, as if nothing had been asked.
 */
function readRange(
  {
    range,
    'if-range': validator,
  }: { range?: string | undefined; 'if-range'?: string | string[] | undefined },
  byteSize: number,
): ByteRange | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? [];
  if (validator !== undefined || first === undefined || last === undefined || byteSize === 0) return null;
  if (first === '') {
    const length = Number(last);
    return last === '' || length === 0 ? null : { start: Math.max(0, byteSize - length), end: byteSize - 1 };
  }
  const start = Number(first);
  const end = last === '' ? byteSize - 1 : Math.min(Number(last), byteSize - 1);
  return start > end || (last !== '' && Number(last) < start) ? null : { start, end };
}

/** Sends headers, and the bytes unless they are not asked for. */
async function deliver(
  { request, response, requestId }: Exchange,
  status: number,
  headers: Headers,
  { stream }: OpenedFile,
): Promise<void> {
  response.writeHead(status, { ...headers, 'X-Request-Id': requestId });
  if (request.method === 'HEAD') {
    stream.destroy();
    response.end();
    return;
  }
  try {
    await pipeline(stream, response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE') throw new ClientGone();
    throw error;
  }
}
