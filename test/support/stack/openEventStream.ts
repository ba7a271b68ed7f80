import { request } from 'node:http';
import { createParser } from 'eventsource-parser';

/** A received server-sent event. */
export interface ReceivedEvent {
  /** The last id, from this event or an earlier one. */
  id: string;
  event: string;
  data: any;
}

/** An open stream of server-sent events. */
export interface EventStream {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** All received events, in order. */
  readonly received: readonly ReceivedEvent[];
  /** Value for `Last-Event-ID`. Empty before the first event. */
  readonly lastId: string;
  /** Whether the server has ended the stream, or the connection broke. */
  readonly hasEnded: boolean;
  /** The body of an answer that is not a stream. */
  readonly text: string;
  /** Waits for a condition. If it times out, it fails with the received events. */
  until(what: string, holds: (stream: EventStream) => boolean): Promise<void>;
  /** Pauses or resumes reading from the connection. */
  pause(): void;
  resume(): void;
  close(): void;
}

const patienceMs = 20_000;

/** Requests a stream, as a browser's EventSource does, with a token. */
export function openEventStream(
  url: string,
  { token, headers = {}, body }: { token?: string; headers?: Record<string, string>; body?: object } = {},
): Promise<EventStream> {
  return new Promise((opened, failed) => {
    const call = request(url, {
      method: body ? 'POST' : 'GET',
      agent: false,
      headers: {
        accept: 'text/event-stream',
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    call.once('error', failed);
    call.once('response', (response) => {
      const received: ReceivedEvent[] = [];
      const waiting = new Set<() => void>();
      const state = { id: '', text: '', hasEnded: false };
      const parser = createParser({
        onId: (id) => {
          state.id = id;
        },
        onEvent: ({ event = 'message', data }) =>
          received.push({ id: state.id, event, data: data === '' ? null : JSON.parse(data) }),
      });
      const tell = () => [...waiting].forEach((check) => check());
      const end = () => {
        state.hasEnded = true;
        tell();
      };
      call.on('error', end);
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        if (response.statusCode !== 200) state.text += chunk;
        else parser.feed(chunk);
        tell();
      });
      response.on('end', end).on('error', end).on('close', end);
      const stream: EventStream = {
        status: response.statusCode ?? 0,
        headers: response.headers,
        received,
        get lastId() {
          return state.id;
        },
        get hasEnded() {
          return state.hasEnded;
        },
        get text() {
          return state.text;
        },
        until: (what, holds) =>
          new Promise((done, never) => {
            const finish = (verdict: () => void) => {
              clearTimeout(timer);
              waiting.delete(check);
              verdict();
            };
            const fail = () => {
              const seen = `${state.text}${JSON.stringify(received)}`.slice(0, 2000);
              finish(() => never(new Error(`Timed out: ${what}. Received: ${seen}`)));
            };
            const check = () => {
              if (holds(stream)) finish(done);
              else if (state.hasEnded) fail();
            };
            const timer = setTimeout(fail, patienceMs);
            waiting.add(check);
            check();
          }),
        pause: () => void response.pause(),
        resume: () => void response.resume(),
        close: () => void call.destroy(),
      };
      opened(stream);
    });
    call.end(body && JSON.stringify(body));
  });
}
