import { pause } from '../pause.ts';

/** Number and delays of retries. */
export interface RetryOptions {
  /** Requests at most, the first among them. */
  attempts: number;
  /** Maximum first delay in milliseconds; the maximum doubles for each further one. */
  baseMs: number;
  /** Maximum delay in milliseconds; if `Retry-After` is later, the caller gets the refusal. */
  maxWaitMs: number;
}

export const defaultRetry: RetryOptions = { attempts: 4, baseMs: 250, maxWaitMs: 20_000 };

type Fetch = (request: Request) => Promise<Response>;

/**
 * Sends a request and retries it if that can help and has no second effect: requests that only read or have an
 * `Idempotency-Key`.
 *
 * @param isRepeatable true for a POST that is safe to repeat
 */
export async function fetchWithRetries(
  fetch: Fetch,
  request: Request,
  { attempts, baseMs, maxWaitMs }: RetryOptions,
  isRepeatable = repeats(request),
): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt >= attempts || !isRepeatable;
    let waitMs = Math.random() * Math.min(maxWaitMs, baseMs * 2 ** (attempt - 1));
    try {
      const response = await fetch(isLast ? request : request.clone());
      if (isLast || !(await isTransient(response))) return response;
      waitMs += retryAfterMs(response) ?? 0;
      if (waitMs > maxWaitMs) return response;
      await response.body?.cancel();
    } catch (error) {
      if (isLast || request.signal.aborted) throw error;
    }
    await pause(waitMs, request.signal);
  }
}

function repeats({ method, headers }: Request): boolean {
  return method === 'GET' || method === 'HEAD' || headers.has('idempotency-key');
}

async function isTransient(response: Response): Promise<boolean> {
  const { status } = response;
  if (status === 429 || (status >= 502 && status <= 504)) return true;
  if (status !== 409) return false;
  // The first request is still being processed; its response will also be that of this one.
  const body = await response
    .clone()
    .json()
    .catch(() => null);
  return body?.code === 'idempotency_in_progress';
}

/** Returns `Retry-After`, given in seconds or as a date (RFC 9110, 10.2.3), in milliseconds. */
export function retryAfterMs({ headers }: Response): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
