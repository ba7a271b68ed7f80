import type { Readable } from 'node:stream';
import { openUrl } from '../../../platform/http/openUrl.ts';
import { ProviderFailure, type ProviderTarget } from './AiProvider.ts';

/** An answer, read to its end. */
export interface ProviderReply {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfterMs: number | undefined;
}

const mostBytes = 256 * 1024;
const connectTimeoutMs = 3000;

/**
 * Sends a body to the provider and reads its response. One signal limits everything up to the last byte. Private
 * addresses, redirects, encodings and more than 256 KB are refused.
 *
 * @param body exact body of the request
 * @param signal aborts it; its reason becomes the rejection
 * @throws ProviderFailure `timeout`, `unavailable`, `error`
 */
export async function postJson(
  { baseUrl, apiKey, allowPrivate }: ProviderTarget,
  body: string,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<ProviderReply> {
  let isConnected = false;
  const startedAt = performance.now();
  try {
    const { statusCode, headers, ...opened } = await openUrl(`${baseUrl}/chat/completions`, {
      accept: 'application/json',
      timeoutMs,
      connectTimeoutMs: Math.min(connectTimeoutMs, timeoutMs),
      allowPrivate,
      signal,
      onConnect: () => {
        isConnected = true;
      },
      send: {
        body,
        headers: {
          'content-type': 'application/json',
          'accept-encoding': 'identity',
          ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
        },
      },
    });
    try {
      const text = await readText(opened.body);
      return { status: statusCode, body: parse(text), retryAfterMs: readRetryAfter(headers['retry-after']) };
    } finally {
      await opened.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProviderFailure) throw error;
    const billing = isConnected ? 'unknown' : 'none';
    if (performance.now() - startedAt >= timeoutMs - 1 || isTimeout(error)) {
      throw new ProviderFailure('timeout', `No answer within ${timeoutMs} ms.`, { billing });
    }
    throw new ProviderFailure('unavailable', `The connection failed: ${nameOf(error)}.`, { billing });
  }
}

async function readText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) {
      throw new ProviderFailure('error', `An answer of more than ${mostBytes} bytes.`, {
        billing: 'unknown',
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Parses JSON. Returns undefined if the text is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Parses seconds or a date (RFC 9110, 10.2.3). Returns milliseconds, or undefined for another value. */
function readRetryAfter(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

function isTimeout(error: unknown): boolean {
  return ['TimeoutError', 'ConnectTimeoutError', 'HeadersTimeoutError', 'BodyTimeoutError'].includes(
    nameOf(error),
  );
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
