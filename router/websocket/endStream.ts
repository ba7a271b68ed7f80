import type { ExecutionResult } from 'graphql';
import type { EndableStream } from '../transport/mapEvents.ts';

/** What happens at the end of a stream. */
interface StreamEnd {
  /** Returns the last result of a stream that fails. */
  onFailure(error: unknown): ExecutionResult;
  /** Called when the source ends by itself. */
  onEnd(): Promise<void>;
  /** Called once when the stream has ended for any reason. */
  release(): void;
}

/** Returns a stream whose end is noticed. It is not a generator, because one that waits for its source cannot be closed. */
export function endStream(
  source: EndableStream<ExecutionResult>,
  { onFailure, onEnd, release }: StreamEnd,
): EndableStream<ExecutionResult> {
  let hasEnded = false;
  const finish = (): void => {
    if (!hasEnded) release();
    hasEnded = true;
  };
  const stream: EndableStream<ExecutionResult> = {
    async next() {
      if (hasEnded) return { done: true, value: undefined };
      try {
        const next = await source.next();
        if (!next.done || hasEnded) return next;
        await onEnd();
        finish();
        return next;
      } catch (error) {
        finish();
        return { done: false, value: onFailure(error) };
      }
    },
    async return() {
      finish();
      return source.return();
    },
    [Symbol.asyncIterator]: () => stream,
  };
  return stream;
}
