/** One server-sent event, as far as a router looks at it. */
export interface ReceivedEvent {
  readonly name: string;
  readonly data: string;
}

/**
 * Reads server-sent events (WHATWG HTML, 9.2.6) from the chunks of a body; comments, ids and retry times are passed over.
 *
 * @param maxLength characters of one event
 * @throws Error for an event that is longer
 */
export async function* readEvents(
  chunks: AsyncIterable<Buffer | string>,
  maxLength: number,
): AsyncGenerator<ReceivedEvent, void, void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunks) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const event = toEvent(text.slice(0, end));
      text = text.slice(end + 2);
      if (event) yield event;
    }
    if (text.length > maxLength) throw new Error('An event is too long.');
  }
}

/** Null for a frame that dispatches nothing, as a heart beat. */
function toEvent(frame: string): ReceivedEvent | null {
  let name = '';
  const data: string[] = [];
  for (const line of frame.split('\n')) {
    if (line.startsWith('event:')) name = line.slice(6).trim();
    if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
  }
  return name === '' && data.length === 0 ? null : { name, data: data.join('\n') };
}
