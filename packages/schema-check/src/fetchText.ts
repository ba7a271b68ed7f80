import { UsageError } from './UsageError.ts';

const timeoutMs = 30_000;

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
