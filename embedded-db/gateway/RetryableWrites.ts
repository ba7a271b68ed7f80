import { ConnectionLost } from './postgres/PostgresError.ts';
import type { BsonBytes } from './wire/bson.ts';

interface Remembered {
  transactionNumber: bigint;
  reply: Promise<BsonBytes>;
}

const maxSessions = 5_000;

/**
 * Remembers the last write of each session, so that a driver that lost the answer can ask again and gets that answer
 * instead of a second execution. The memory does not outlive the gateway; neither do the connections whose loss
 * makes a driver ask again, because both live in the same process.
 */
export class RetryableWrites {
  readonly #bySession = new Map<string, Remembered>();

  run(sessionKey: string, transactionNumber: bigint, work: () => Promise<BsonBytes>): Promise<BsonBytes> {
    const last = this.#bySession.get(sessionKey);
    if (last?.transactionNumber === transactionNumber) return last.reply;
    const remembered = { transactionNumber, reply: work() };
    this.#bySession.delete(sessionKey); // to the end of the map: the first entry is the one unused for longest
    this.#bySession.set(sessionKey, remembered);
    // A failed attempt has changed nothing and may be tried again, unless the engine was lost while it ran.
    remembered.reply.catch((error: unknown) => {
      if (error instanceof ConnectionLost) return;
      if (this.#bySession.get(sessionKey) === remembered) this.#bySession.delete(sessionKey);
    });
    if (this.#bySession.size > maxSessions) this.#forgetOldest();
    return remembered.reply;
  }

  forget(sessionKey: string): void {
    this.#bySession.delete(sessionKey);
  }

  #forgetOldest(): void {
    for (const oldest of this.#bySession.keys()) {
      this.#bySession.delete(oldest);
      return;
    }
  }
}
