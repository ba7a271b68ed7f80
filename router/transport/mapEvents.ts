/** A stream that can be left at any time. */
export interface EndableStream<T> extends AsyncIterableIterator<T, undefined> {
  return(): Promise<IteratorReturnResult<undefined>>;
}

/**
 * Maps the values of a stream. It is not a generator, because a generator that waits for its source cannot be closed
 * before the next value.
 */
export function mapEvents<T, R>(
  source: AsyncIterable<T>,
  map: (value: T) => R | Promise<R>,
): EndableStream<R> {
  const iterator = source[Symbol.asyncIterator]();
  const stream: EndableStream<R> = {
    async next() {
      const next = await iterator.next();
      if (next.done) return { done: true, value: undefined };
      try {
        return { done: false, value: await map(next.value) };
      } catch (error) {
        await iterator.return?.();
        throw error;
      }
    },
    async return() {
      await iterator.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => stream,
  };
  return stream;
}
