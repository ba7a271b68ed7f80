/** A server-sent event. */
export interface ServerEvent {
  /** The last id that was told, with this event or before it. */
  readonly id: string;
  readonly type: string;
  /** Empty for a frame that tells an id alone. */
  readonly data: string;
}

/**
 * Reads the frames of an event stream (WHATWG HTML, 9.2.6), those with an id alone among them.
 *
 * @param heard called whenever anything has come, comments too
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  heard: () => void = () => undefined,
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let [text, id] = ['', ''];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      text += decoder.decode(value, { stream: true });
      // A carriage return at the end may be half of a line's end.
      const frames = text.replace(/\r\n|\r(?!$)/g, '\n').split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const event = readFrame(frame, id);
        ({ id } = event);
        if (event.data !== '' || frame.startsWith('id')) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function readFrame(frame: string, lastId: string): ServerEvent {
  let [id, type] = [lastId, 'message'];
  const data: string[] = [];
  for (const line of frame.split('\n')) {
    const [, name, value = ''] = /^(\w+)(?:: ?(.*))?$/.exec(line) ?? [];
    if (name === 'id') id = value;
    if (name === 'event') type = value;
    if (name === 'data') data.push(value);
  }
  return { id, type, data: data.join('\n') };
}
