import { connect, type Socket } from 'node:net';
import { headersOf, type Load } from './send.ts';

/** A response. */
export interface LightAnswer {
  /** Status as in `200`, or the code of a connection error. */
  readonly status: string;
  readonly hasRetryAfter: boolean;
}

/**
 * HTTP/1.1 client with keep-alive connections, for thousands of concurrent requests. It does very little, so that the
 * server is measured and not the client's queue; a pool of undici searches all of its connections for each request. It
 * reads the status, `Retry-After` and the end of the response. A request without a free connection opens one.
 */
export class LightClient {
  readonly #host: string;
  readonly #port: number;
  readonly #free: Socket[] = [];
  readonly #all = new Set<Socket>();

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = Number(port);
  }

  /** Sends a request once; never throws. */
  async ask(load: Load): Promise<LightAnswer> {
    const request = this.#textOf(load, await headersOf(load));
    const socket = this.#free.pop() ?? (await this.#open());
    if (typeof socket === 'string') return { status: socket, hasRetryAfter: false };
    return new Promise((done) => {
      let text = '';
      const finish = (answer: LightAnswer, isReusable: boolean): void => {
        socket.removeAllListeners('data').removeAllListeners('close');
        if (isReusable) this.#free.push(socket);
        else socket.destroy();
        done(answer);
      };
      socket.on('data', (chunk: string) => {
        text += chunk;
        const answer = readWhole(text);
        if (answer) finish(answer, !/^connection: close/im.test(text));
      });
      socket.once('close', () => finish({ status: 'closed', hasRetryAfter: false }, false));
      socket.write(request);
    });
  }

  close(): void {
    for (const socket of this.#all) socket.destroy();
  }

  #open(): Promise<Socket | string> {
    return new Promise((opened) => {
      const socket = connect({ host: this.#host, port: this.#port, noDelay: true }, () => opened(socket));
      this.#all.add(socket);
      socket.setEncoding('latin1').on('error', ({ code }: NodeJS.ErrnoException) => opened(code ?? 'failed'));
      socket.once('close', () => this.#all.delete(socket));
    });
  }

  #textOf({ method, path, body = '' }: Load, headers: Readonly<Record<string, string>>): string {
    const lines = Object.entries({
      ...headers,
      host: `${this.#host}:${this.#port}`,
      'content-length': String(Buffer.byteLength(body)),
    });
    return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
  }
}

/** Returns the response once it is complete. */
function readWhole(text: string): LightAnswer | null {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = text.slice(0, end);
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  const isWhole =
    length === undefined ? text.endsWith('\r\n0\r\n\r\n') : text.length >= end + 4 + Number(length);
  if (!isWhole) return null;
  return { status: text.slice(9, 12), hasRetryAfter: /^retry-after:/im.test(head) };
}
