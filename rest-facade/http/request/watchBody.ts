import type { IncomingMessage } from 'node:http';
import { ClientGone, Refusal } from '../Refusal.ts';

/** Maximum time between two chunks of a file. */
const idleTimeoutMs = 30_000;

/**
 * Watches the body of a streamed request: reports once if the client disconnects, stalls, or sends more than the given
 * number of bytes.
 *
 * @param most bytes of the whole body
 * @returns a function that ends the watch; further bytes are discarded, so that the client can finish writing and
 *   read the response
 */
export function watchBody(
  request: IncomingMessage,
  most: number,
  onFailure: (error: Error) => void,
  timeoutMs = idleTimeoutMs,
): () => void {
  let size = 0;
  const idle = setTimeout(() => settle(timedOut()), timeoutMs);
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    idle.refresh();
    if (size > most)
      settle(new Refusal('payload_too_large', `A body of this route must have at most ${most} bytes.`));
  };
  const onClose = (): void => settle(request.complete ? undefined : new ClientGone());
  function settle(error?: Error): void {
    clearTimeout(idle);
    request.off('data', onData).off('close', onClose).off('error', onClose);
    if (error) onFailure(error);
  }
  request.on('data', onData).on('close', onClose).on('error', onClose);
  return () => {
    settle();
    request.unpipe();
    request.on('error', ignore).resume();
  };
}

/**
 * Checks that the client is still connected, because a disconnect before the watch emits no event.
 *
 * @throws ClientGone
 */
export function assertPresent(request: IncomingMessage): void {
  if (request.destroyed && !request.complete) throw new ClientGone();
}

function timedOut(): Refusal {
  return new Refusal('request_timeout', 'The body did not arrive in time.', {}, { Connection: 'close' });
}

function ignore(): void {}
