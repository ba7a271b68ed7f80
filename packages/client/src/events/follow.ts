import { toProblem } from '../ProblemError.ts';
import { pause } from '../pause.ts';
import type { Send } from '../transport/createSend.ts';
import type { RetryOptions } from '../transport/retry.ts';
import { readEvents, type ServerEvent } from './readEvents.ts';

/** Options of following a stream. */
export interface FollowOptions {
  /** Aborts the iteration. */
  signal?: AbortSignal;
  /** Time without any data, even a keep-alive, after which a stream is closed and opened again. */
  silenceMs?: number;
}

/** Dependencies of following a stream. */
export interface FollowSource {
  send: Send;
  retry: RetryOptions;
  /** Returns the request that continues after the last received event. */
  request(signal: AbortSignal): Request;
}

/**
 * Yields frames of a stream over successive connections. After a break or an end, the next connection continues at the
 * same position, until the caller stops iterating, the signal aborts, or the service refuses.
 *
 * @throws ProblemError if the service refuses permanently
 */
export async function* follow(
  { send, retry, request }: FollowSource,
  { signal, silenceMs = 45_000 }: FollowOptions = {},
): AsyncGenerator<ServerEvent, void, undefined> {
  let failures = 0;
  const hasEnded = () => signal?.aborted ?? false;
  while (!hasEnded()) {
    const connection = new AbortController();
    const stop = () => connection.abort(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(
        () => connection.abort(new Error(`The event stream sent nothing for ${silenceMs} ms.`)),
        silenceMs,
      );
    };
    try {
      heard();
      const response = await send(request(connection.signal), { isRepeatable: true });
      if (!response.ok || !response.body) throw await toProblem(response);
      for await (const event of readEvents(response.body, heard)) {
        failures = 0;
        yield event;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (isRefusal(error)) throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      connection.abort();
    }
    failures += 1;
    const longest = Math.min(retry.maxWaitMs, retry.baseMs * 2 ** Math.min(failures, 16));
    await pause(Math.random() * longest, signal).catch(() => undefined);
  }
}

/** Returns whether another attempt would get the same error. */
function isRefusal(error: unknown): boolean {
  const { status = 0 } = error as { status?: number };
  return status >= 400 && status < 500 && status !== 429 && status !== 408;
}
