import { type Position, positionOf } from './position.ts';

// Source: PostgreSQL's manual, "Logical Replication Message Formats", protocol version 1.

/** A changed document. `tableNumber` is the <n> of documentdb_data.documents_<n>. */
export interface RowChange {
  kind: 'insert' | 'update' | 'delete';
  tableNumber: string;
  before?: Buffer | undefined;
  after?: Buffer | undefined;
}

export interface CommittedChange extends RowChange {
  position: Position;
  committedAtMs: number;
}

interface Table {
  number: string | undefined;
  documentColumn: number;
}

/** PostgreSQL counts time from 2000-01-01. */
const postgresEpochMs = 946_684_800_000;
const nullValue = 0x6e;
const unchangedValue = 0x75;
const newTuple = 0x4e;

/** Decodes the messages of one slot, which describe each table once and then refer to it. */
export class ReplicationDecoder {
  readonly #tables = new Map<number, Table>();
  #uncommitted: RowChange[] = [];
  #committedAtMs = 0;

  /** Returns the changes of a transaction if the message is its commit, otherwise none. */
  push(message: Buffer): CommittedChange[] {
    switch (String.fromCharCode(message[0] ?? 0)) {
      case 'B':
        this.#uncommitted = [];
        this.#committedAtMs = Number(message.readBigInt64BE(9) / 1000n) + postgresEpochMs;
        break;
      case 'R':
        this.#readTable(message);
        break;
      case 'I':
        this.#readChange('insert', message);
        break;
      case 'U':
        this.#readChange('update', message);
        break;
      case 'D':
        this.#readChange('delete', message);
        break;
      case 'C':
        return this.#commit(message.readBigUInt64BE(2));
    }
    return [];
  }

  #commit(place: bigint): CommittedChange[] {
    const committedAtMs = this.#committedAtMs;
    return this.#uncommitted
      .splice(0)
      .map((change, index) => ({ ...change, position: positionOf(place, index), committedAtMs }));
  }

  #readTable(message: Buffer): void {
    const id = message.readUInt32BE(1);
    const schemaEnd = message.indexOf(0, 5);
    const nameEnd = message.indexOf(0, schemaEnd + 1);
    const name = message.toString('utf8', schemaEnd + 1, nameEnd);
    const columns = message.readInt16BE(nameEnd + 2); // after the replica identity
    let position = nameEnd + 4;
    let documentColumn = -1;
    for (let column = 0; column < columns; column++) {
      const end = message.indexOf(0, position + 1); // a byte of flags, then the name
      if (message.toString('utf8', position + 1, end) === 'document') documentColumn = column;
      position = end + 9; // the type and its modifier
    }
    this.#tables.set(id, { number: /^documents_(\d+)$/.exec(name)?.[1], documentColumn });
  }

  #readChange(kind: RowChange['kind'], message: Buffer): void {
    const table = this.#tables.get(message.readUInt32BE(1));
    if (!table?.number || table.documentColumn < 0) return;
    const change: RowChange = { kind, tableNumber: table.number };
    let position = 5;
    while (position < message.length) {
      const isNew = message[position] === newTuple;
      const tuple = readTuple(message, position + 1, table.documentColumn);
      if (isNew) change.after = tuple.document;
      else change.before = tuple.document;
      position = tuple.end;
    }
    this.#uncommitted.push(change);
  }
}

function readTuple(
  message: Buffer,
  start: number,
  documentColumn: number,
): { document?: Buffer; end: number } {
  const columns = message.readInt16BE(start);
  let position = start + 2;
  let document: Buffer | undefined;
  for (let column = 0; column < columns; column++) {
    const format = message[position];
    position++;
    if (format === nullValue || format === unchangedValue) continue;
    const length = message.readInt32BE(position);
    position += 4;
    if (column === documentColumn) document = message.subarray(position, position + length);
    position += length;
  }
  return document ? { document, end: position } : { end: position };
}
