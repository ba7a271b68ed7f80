import { type OpenOptions, openUrl } from '../../../platform/http/openUrl.ts';

/** Limits of one fetch. Tests set them; the product uses the defaults. */
export interface FetchOptions extends Pick<OpenOptions, 'allowPrivate' | 'resolve'> {
  /** Maximum time from name resolution to the last byte; 5 seconds by default. */
  readonly timeoutMs?: number;
  /** Maximum size of the document; 512 KiB by default. */
  readonly maxBytes?: number;
}

const defaultTimeoutMs = 5000;
const defaultMaxBytes = 512 * 1024;

/**
 * Fetches a JSON document of an external issuer, under the rules of `openUrl`. Redirects are not followed. Data beyond
 * the limits closes the connection.
 *
 * @throws Error that names the violated rule; for logs, never for a client
 */
export async function fetchDocument(url: string, options: FetchOptions = {}): Promise<unknown> {
  const { timeoutMs = defaultTimeoutMs, maxBytes = defaultMaxBytes } = options;
  const accept = 'application/jwk-set+json, application/json';
  const { statusCode, body, close } = await openUrl(url, { ...options, accept, timeoutMs });
  try {
    if (statusCode !== 200) throw new Error(`${url} answered with status ${statusCode}.`);
    return JSON.parse(await readText(body, maxBytes, url)) as unknown;
  } finally {
    await close();
  }
}

async function readText(body: AsyncIterable<Buffer>, maxBytes: number, url: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`${url} answered with more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
