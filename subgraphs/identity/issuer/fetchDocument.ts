import { lookup as resolveName } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { isPublicAddress } from './isPublicAddress.ts';

/** Limits of one fetch; tests set them, the product takes the defaults. */
export interface FetchOptions {
  /** Development only: private and loopback addresses, and plain http. */
  readonly allowPrivate?: boolean;
  /** From the first look at the name to the last byte; 5 seconds. */
  readonly timeoutMs?: number;
  /** 512 KiB. */
  readonly maxBytes?: number;
  /** Resolves a name to every address it has; the system's resolver. */
  readonly resolve?: typeof resolveName;
}

const defaultTimeoutMs = 5000;
const defaultMaxBytes = 512 * 1024;

/**
 * Fetches a JSON document of an external issuer. The URL is configuration, yet what its host name resolves to is not in
 * our hands: every address of the name must be public, and the connection goes to the address that was looked at, so
 * that a second answer of the resolver cannot lead elsewhere. No redirect is followed; whatever the server sends beyond
 * the limits ends the connection.
 *
 * @throws Error that says which rule was broken; for logs, never for a client
 */
export async function fetchDocument(url: string, options: FetchOptions = {}): Promise<unknown> {
  const { allowPrivate = false, timeoutMs = defaultTimeoutMs, maxBytes = defaultMaxBytes } = options;
  assertFetchable(new URL(url), allowPrivate);
  const agent = new Agent({
    connect: { lookup: pinnedLookup(options), timeout: timeoutMs },
    connections: 1,
    pipelining: 0,
  });
  try {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: agent,
      headers: { accept: 'application/jwk-set+json, application/json' },
      signal: AbortSignal.timeout(timeoutMs),
    });
    body.on('error', () => undefined);
    if (statusCode !== 200) throw new Error(`${url} answered with status ${statusCode}.`);
    if (headers['content-encoding'] !== undefined)
      throw new Error(`${url} answered with a content encoding.`);
    return JSON.parse(await readText(body, maxBytes, url)) as unknown;
  } finally {
    // What is still on its way is cut: nobody waits for the rest of a refused answer.
    await agent.destroy();
  }
}

/**
 * Whether a URL may be fetched at all, by its text alone: the connection of an address literal asks no resolver.
 *
 * @throws Error
 */
export function assertFetchable(url: URL, allowPrivate: boolean): void {
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:'))
    throw new Error(`${url.href} is not an https URL.`);
  if (url.username !== '' || url.password !== '')
    throw new Error(`${url.origin} must not carry credentials.`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !allowPrivate && !isPublicAddress(host))
    throw new Error(`${url.href} leads to an address that is not public.`);
}

function pinnedLookup({ allowPrivate = false, resolve = resolveName }: FetchOptions): LookupFunction {
  return (hostname, { all = false, family = 0 }, answer) => {
    resolve(hostname, { all: true, family }, (error, addresses) => {
      if (error) return answer(error, []);
      const [first] = addresses;
      const hidden = addresses.find(({ address }) => !allowPrivate && !isPublicAddress(address));
      if (!first || hidden) {
        const reason = hidden ? `resolves to ${hidden.address}, which is not public` : 'has no address';
        return answer(new Error(`${hostname} ${reason}.`), []);
      }
      if (all) answer(null, addresses);
      else answer(null, first.address, first.family);
    });
  };
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
