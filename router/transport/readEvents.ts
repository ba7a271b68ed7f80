import { createParser, type EventSourceMessage } from 'eventsource-parser';

/**
 * Reads server-sent events from the chunks of a body. Comments, retry times and frames without data are skipped.
 *
 * @param maxLength most characters of an event that is still incomplete
 * @throws Error for an event that is longer
 */
export async function* readEvents(
  chunks: AsyncIterable<Buffer | string>,
  maxLength: number,
): AsyncGenerator<EventSourceMessage, void, void> {
  const received: EventSourceMessage[] = [];
  let excess: Error | undefined;
  const parser = createParser({
    maxBufferSize: maxLength,
    onEvent: (event) => received.push(event),
    onError: (error) => {
      // Unknown fields are ignored, as the specification of server-sent events requires.
      if (error.type === 'max-buffer-size-exceeded') excess = error;
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    parser.feed(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
    yield* received.splice(0);
    if (excess) throw excess;
  }
}
