import { UsageError } from '../UsageError.ts';
import type { Source } from './Source.ts';

const timeoutMs = 30_000;

/** Reads a contract from the paths below a URL. The files of a URL cannot be listed. */
export function urlSource(url: string): Source {
  return {
    name: url,
    commit: null,
    read: (file) => fetchText(new URL(file, url.endsWith('/') ? url : `${url}/`)),
    list: async () => null,
  };
}

/**
 * Returns the text at a URL; null if the server responds with 404.
 *
 * @throws UsageError if the server cannot be reached within 30 seconds or responds with another error
 */
export async function fetchText(url: URL): Promise<string | null> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    text = await response.text();
  } catch (error) {
    throw new UsageError(`${url.href} cannot be reached.`, { cause: error });
  }
  if (response.status === 404) return null;
  if (!response.ok) throw new UsageError(`${url.href} answers with status ${response.status}.`);
  return text;
}
