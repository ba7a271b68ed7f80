import net from 'node:net';
import type { Document } from 'bson';
import { decode, encode } from '../gateway/wire/bson.ts';
import { FrameReader } from '../gateway/wire/FrameReader.ts';
import { mongoFraming, readRequest, writeRequest } from '../gateway/wire/wire.ts';

const limitMs = 30_000;
const closed = 'mongod closed the connection';

/** Connection for the few commands that set up a replica set, without loading a driver. */
export class AdminConnection {
  readonly #socket: net.Socket;
  readonly #answers: { resolve(reply: Document): void; reject(error: unknown): void }[] = [];
  #lastRequestId = 0;

  private constructor(socket: net.Socket) {
    this.#socket = socket;
    const reader = new FrameReader(mongoFraming, (message) => {
      this.#answers.shift()?.resolve(decode(readRequest(message).body));
    });
    socket.on('data', (chunk) => reader.push(chunk));
    socket.setTimeout(limitMs, () => socket.destroy(new Error(`mongod did not answer within ${limitMs} ms`)));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error(closed)));
  }

  static open(path: string): Promise<AdminConnection> {
    return new Promise((resolve, reject) => {
      const socket = net.connect({ path });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new AdminConnection(socket));
      });
    });
  }

  /** Returns the reply, whether or not it is `ok`. Rejects if the connection is or was closed. */
  run(command: Document): Promise<Document> {
    this.#lastRequestId++;
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new Error(closed));
      this.#answers.push({ resolve, reject });
      this.#socket.write(writeRequest(this.#lastRequestId, encode({ ...command, $db: 'admin' })));
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #fail(error: unknown): void {
    for (const answer of this.#answers.splice(0)) answer.reject(error);
  }
}
