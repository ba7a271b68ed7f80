import type { Socket } from 'node:net';
import type { Transaction } from './TransactionStore.ts';
import type { RawDocument } from './wire/RawDocument.ts';

/** A client's connection. */
export interface ClientConnection {
  readonly id: number;
  readonly socket: Socket;
  isClosed: boolean;
}

/** A command in the gateway. */
export interface Command {
  readonly name: string;
  readonly database: string;
  readonly body: RawDocument;
  /** Document sequences besides the body, by field name: `documents`, `updates` or `deletes`. */
  readonly sequences: ReadonlyMap<string, Buffer>;
  readonly client: ClientConnection;
  /** The logical session, as hexadecimal text. */
  readonly sessionKey: string | undefined;
  readonly transactionNumber: bigint | undefined;
  /** Time limit in milliseconds; 0 for none. */
  readonly maxTimeMs: number;
  /** Set while the command runs inside a transaction of several statements. */
  transaction?: Transaction;
}

/** Returns "database.collection" for messages and cursors. */
export function namespaceOf(command: Command, collection: string): string {
  return `${command.database}.${collection}`;
}
