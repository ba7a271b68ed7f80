import { createParser } from 'eventsource-parser';

/** A server-sent event. */
export interface ServerEvent {
  /** Last id that the stream has sent, with this event or before it. */
  readonly id: string;
  readonly type: string;
  /** Empty for a frame that holds only an id. */
  readonly data: string;
}

/**
 * Reads the frames of an event stream, including frames with only an id.
 *
 * @param heard called for every chunk, including one with only comments
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  heard: () => void = () => undefined,
): AsyncGenerator<ServerEvent, void, undefined> {
  const received: ServerEvent[] = [];
  let lastId = '';
  const parser = createParser({
    // The parser reports an id before the event of the same frame, which then replaces the bare id.
    onId: (id) => {
      lastId = id;
      received.push({ id, type: 'message', data: '' });
    },
    onEvent: ({ id, event = 'message', data }) => {
      if (id !== undefined) received.pop();
      received.push({ id: lastId, type: event, data });
    },
  });
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      parser.feed(decoder.decode(value, { stream: true }));
      yield* received.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
