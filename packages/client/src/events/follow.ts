import { toProblem } from '../ProblemError.ts';
import { pause } from '../pause.ts';
import type { Send } from '../transport/createSend.ts';
import type { RetryOptions } from '../transport/retry.ts';
import { readEvents, type ServerEvent } from './readEvents.ts';

/** Options of following a stream. */
export interface FollowOptions {
  /** Ends it. */
  signal?: AbortSignal;
  /** Time without any data, even a keep-alive, after which a stream is closed and opened again. */
  silenceMs?: number;
}

/** Dependencies of following a stream. */
export interface FollowSource {
  send: Send;
  retry: RetryOptions;
  /** Request that continues after the last received event. */
  request(signal: AbortSignal): Request;
}

/**
 * Frames of a stream, from one connection after the other: whatever breaks or ends it, the next one goes on where it
 * was, until the caller stops iterating, the signal aborts, or the service refuses.
 *
 * @throws ProblemError when the service refuses for good
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

/** Errors that another attempt would get again. */
function isRefusal(error: unknown): boolean {
  const { status = 0 } = error as { status?: number };
  return status >= 400 && status < 500 && status !== 429 && status !== 408;
}
