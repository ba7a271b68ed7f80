import { ConnectionLost } from './postgres/PostgresError.ts';
import type { BsonBytes } from './wire/bson.ts';

interface Remembered {
  transactionNumber: bigint;
  reply: Promise<BsonBytes>;
}

const maxSessions = 5_000;

/**
 * Stores the last write of each session, so that a driver that lost the response can retry and get it without a second
 * execution. The data does not outlive the gateway. Neither do the connections whose loss causes a retry, because both
 * belong to the same process.
 */
export class RetryableWrites {
  readonly #bySession = new Map<string, Remembered>();

  run(sessionKey: string, transactionNumber: bigint, work: () => Promise<BsonBytes>): Promise<BsonBytes> {
    const last = this.#bySession.get(sessionKey);
    if (last?.transactionNumber === transactionNumber) return last.reply;
    const remembered = { transactionNumber, reply: work() };
    this.#bySession.delete(sessionKey); // to the end of the map: the first entry is the one unused for longest
    this.#bySession.set(sessionKey, remembered);
    // A failed attempt has changed nothing and can be retried, unless the engine was lost while it ran.
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
