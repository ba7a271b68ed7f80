import type { Configuration } from './readConfiguration.ts';

/**
 * How connections are taken.
 *
 * @throws Error that names the variable, what it says and what it may say
 */
export function tlsSettings({
  TLS_KEY: key,
  TLS_CERT: cert,
  HTTP2 = '',
}: Readonly<Record<string, string | undefined>>): Pick<Configuration, 'tls' | 'http2'> {
  if (Boolean(key) !== Boolean(cert))
    throw new Error(`${key ? 'TLS_CERT' : 'TLS_KEY'} is not set: a key and its certificate go together.`);
  if (!['', 'on', 'off'].includes(HTTP2)) throw new Error(`HTTP2 is "${HTTP2}"; it must be one of on, off.`);
  const http2 = HTTP2 === 'on';
  if (http2 && !key)
    throw new Error('HTTP2 is "on" without TLS_KEY and TLS_CERT: browsers speak it over TLS only.');
  return { tls: key && cert ? { key, cert } : undefined, http2 };
}
