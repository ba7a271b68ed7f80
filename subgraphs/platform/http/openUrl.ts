import { lookup as resolveName } from 'node:dns';
import { createRequire } from 'node:module';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import type * as undici from 'undici';
import { isPublicAddress } from './isPublicAddress.ts';

const require = createRequire(import.meta.url);

/** Loads a hundred modules that most processes never need. */
function load(): typeof undici {
  return require('undici') as typeof undici;
}

/** Options of a request to a third party. */
export interface OpenOptions {
  /** `Accept`. */
  readonly accept: string;
  /** Maximum time from name resolution to the last byte, including all redirects. */
  readonly timeoutMs: number;
  /** Maximum number of redirects, each checked by the same rules; 0 by default. */
  readonly maxRedirects?: number;
  /** Development only: private and loopback addresses, and plain http. */
  readonly allowPrivate?: boolean;
  /** Resolves a name to every address it has; the system's resolver. */
  readonly resolve?: typeof resolveName;
  /** Sends a POST with this body. A redirect is then returned, not followed. */
  readonly send?: { readonly body: string; readonly headers: Readonly<Record<string, string>> };
  /** Aborts the request at any time up to the last byte. */
  readonly signal?: AbortSignal;
  /** Maximum time to connect; the total time by default. */
  readonly connectTimeoutMs?: number;
  /** Called when the connection is established. After an earlier failure, nothing was sent. */
  readonly onConnect?: () => void;
}

/** A response whose body is not read yet. */
export interface OpenedUrl {
  statusCode: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Readable;
  /** Aborts pending work. It must be called in every case. */
  close(): Promise<void>;
}

/**
 * Requests a URL of a third party from the internal network. The host name is untrusted: all of its addresses must be
 * public, and the connection uses the checked address, so a second DNS response cannot redirect it (DNS rebinding). A
 * redirect is checked like the first URL. Encoded responses are refused, because their decoded size is unknown.
 *
 * @throws Error that names the violated rule; for logs and owners of the URL, never for other users
 */
export async function openUrl(url: string, options: OpenOptions): Promise<OpenedUrl> {
  const { allowPrivate = false, timeoutMs } = options;
  const maxRedirects = options.send ? 0 : (options.maxRedirects ?? 0);
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  let current = new URL(url);
  for (let redirects = 0; ; redirects += 1) {
    assertFetchable(current, allowPrivate);
    const opened = await ask(current, options, signal);
    const next = nextUrl(opened, current);
    if (!next || maxRedirects === 0) return opened;
    await opened.close();
    if (redirects === maxRedirects) throw new Error(`${url} redirects more than ${maxRedirects} times.`);
    current = next;
  }
}

async function ask(url: URL, options: OpenOptions, signal: AbortSignal): Promise<OpenedUrl> {
  const { accept, send, onConnect, connectTimeoutMs = options.timeoutMs } = options;
  const { Agent, request } = load();
  const agent = new Agent({
    connect: { lookup: pinnedLookup(options), timeout: connectTimeoutMs },
    connections: 1,
    pipelining: 0,
  });
  if (onConnect) agent.on('connect', onConnect);
  try {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: agent,
      method: send ? 'POST' : 'GET',
      headers: { accept, ...send?.headers },
      body: send?.body ?? null,
      signal,
    });
    body.on('error', () => undefined);
    const opened = { statusCode, headers, body, close: () => agent.destroy() };
    if (statusCode === 200 && headers['content-encoding'] !== undefined)
      throw new Error(`${url.href} answered with a content encoding.`);
    return opened;
  } catch (error) {
    // The rest of a refused response is not read.
    await agent.destroy();
    throw error;
  }
}

const redirecting: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function nextUrl({ statusCode, headers }: OpenedUrl, current: URL): URL | null {
  const { location } = headers;
  if (!redirecting.has(statusCode) || typeof location !== 'string') return null;
  const next = URL.parse(location, current);
  if (!next) throw new Error(`${current.href} redirects to no URL.`);
  return next;
}

/**
 * Checks by its text alone whether a URL may be fetched, because the connection of an address literal uses no resolver.
 *
 * @throws Error
 */
export function assertFetchable(url: URL, allowPrivate: boolean): void {
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:'))
    throw new Error(`${url.href} is not an https URL.`);
  if (url.username !== '' || url.password !== '')
    throw new Error(`${url.origin} must not contain credentials.`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !allowPrivate && !isPublicAddress(host))
    throw new Error(`${url.href} leads to an address that is not public.`);
}

function pinnedLookup({ allowPrivate = false, resolve = resolveName }: OpenOptions): LookupFunction {
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
