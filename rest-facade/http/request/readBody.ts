import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ClientGone, Refusal } from '../Refusal.ts';

const inflate = promisify(gunzip);

/** Limits of a body. */
export interface BodyLimits {
  /** Maximum size in bytes, after decompression. */
  readonly bytes: number;
  /** Maximum time between two chunks. */
  readonly idleTimeoutMs: number;
  /** Maximum time for the whole body, so that a slow client cannot occupy a slot indefinitely. */
  readonly totalTimeoutMs: number;
}

/** Maximum compression ratio of a body: text rarely exceeds 10, decompression bombs start at 100. */
const maxInflation = 10;

/** Returns whether the request has a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = headers['content-length'];
  return length !== undefined && length !== '0';
}

/**
 * Reads the whole body and decompresses it. Never holds more than the limit: a larger body is refused by its announced
 * length, or as soon as it exceeds the limit.
 *
 * @throws Refusal 413 `payload_too_large`, 408 `request_timeout`, 415 for an encoding other than gzip, 400 for broken
 *   gzip
 * @throws ClientGone if the connection ends first
 */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new Refusal(
      'unsupported_media_type',
      'The only supported Content-Encoding of a body is gzip.',
      {},
      { 'Accept-Encoding': 'gzip' },
    );
  }
  if (Number(request.headers['content-length']) > limits.bytes) throw tooLarge(limits.bytes);
  const bytes = await collect(request, limits);
  return encoding === 'gzip' ? inflateWithin(bytes, limits.bytes) : bytes;
}

function collect(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) return reject(new ClientGone());
    const chunks: Buffer[] = [];
    const startedAt = performance.now();
    let size = 0;
    const idle = setTimeout(() => settle(timedOut()), limits.idleTimeoutMs);
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limits.bytes) return settle(tooLarge(limits.bytes));
      if (performance.now() - startedAt > limits.totalTimeoutMs) return settle(timedOut());
      chunks.push(chunk);
      idle.refresh();
    };
    const onEnd = () => settle();
    const onClose = () => settle(new ClientGone());
    function settle(error?: Error): void {
      clearTimeout(idle);
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      if (!error) return resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
      // The rest of the body is discarded, so that the client can finish writing and read the refusal.
      request.on('error', ignore).resume();
      reject(error);
    }
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

async function inflateWithin(bytes: Buffer, limit: number): Promise<Buffer> {
  if (bytes.length === 0) return bytes;
  try {
    return await inflate(bytes, { maxOutputLength: Math.min(limit, bytes.length * maxInflation) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit);
    throw new Refusal('malformed_request', 'The Content-Encoding is gzip, but the body is not.');
  }
}

function tooLarge(limit: number): Refusal {
  return new Refusal(
    'payload_too_large',
    `A body of this route must have at most ${limit} bytes, and at most ${maxInflation} times its compressed size.`,
  );
}

function timedOut(): Refusal {
  return new Refusal('request_timeout', 'The body did not arrive in time.', {}, { Connection: 'close' });
}

function ignore(): void {}
