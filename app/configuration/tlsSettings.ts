import type { Configuration } from './readConfiguration.ts';

/**
 * Reads the files with which the process speaks TLS.
 *
 * @throws Error that names the variable that is missing
 */
export function tlsSettings({
  TLS_KEY: key,
  TLS_CERT: cert,
}: Readonly<Record<string, string | undefined>>): Pick<Configuration, 'tls'> {
  if (Boolean(key) !== Boolean(cert))
    throw new Error(`${key ? 'TLS_CERT' : 'TLS_KEY'} is not set: a key and its certificate go together.`);
  return { tls: key && cert ? { key, cert } : undefined };
}
