import type { Framing } from '../wire/FrameReader.ts';

// Source: PostgreSQL's manual, "Frontend/Backend Protocol", version 3.0.

/** A statement's parameter: bytes are sent in binary format, everything else as text. */
export type Parameter = Uint8Array | string | number | bigint | boolean | null;

export const postgresFraming: Framing = {
  headerBytes: 5,
  maxFrameBytes: 0x4000_0000,
  frameLength: (bytes, offset) => bytes.readInt32BE(offset + 1) + 1,
};

const protocol30 = 196608;

function message(type: string, body: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(5 + body.length);
  bytes.write(type, 0, 'latin1');
  bytes.writeInt32BE(4 + body.length, 1);
  body.copy(bytes, 5);
  return bytes;
}

function terminated(text: string): Buffer {
  return Buffer.from(`${text}\0`);
}

const nothing = Buffer.alloc(0);
export const sync = message('S', nothing);
export const terminate = message('X', nothing);
const executeAllRows = message('E', Buffer.from([0, 0, 0, 0, 0]));

/** @param isReplicating whether the connection accepts the commands of logical replication, besides statements */
export function startup(user: string, database: string, isReplicating: boolean): Buffer {
  const replication = isReplicating ? 'replication\0database\0' : '';
  const pairs = Buffer.from(
    `user\0${user}\0database\0${database}\0application_name\0gateway\0${replication}\0`,
  );
  const header = Buffer.alloc(8);
  header.writeInt32BE(8 + pairs.length, 0);
  header.writeInt32BE(protocol30, 4);
  return Buffer.concat([header, pairs]);
}

/** Returns a message of a stream, in either direction. */
export function copyData(body: Buffer): Buffer {
  return message('d', body);
}

/** Returns a message of the simple protocol: text in, text rows out, several statements allowed. */
export function simpleQuery(text: string): Buffer {
  return message('Q', terminated(text));
}

/** Returns the messages that prepare a statement under a name and request the types of its columns. */
export function parseAndDescribe(name: string, text: string): Buffer {
  const noParameterTypes = Buffer.alloc(2);
  return Buffer.concat([
    message('P', Buffer.concat([terminated(name), terminated(text), noParameterTypes])),
    message('D', Buffer.concat([Buffer.from('S'), terminated(name)])),
  ]);
}

/** Runs a prepared statement once; every column is returned in binary. */
export function bindAndExecute(name: string, parameters: readonly Parameter[]): Buffer {
  const values = parameters.map((value) =>
    value === null ? null : value instanceof Uint8Array ? value : Buffer.from(String(value)),
  );
  const valueBytes = values.reduce((sum, value) => sum + 4 + (value?.length ?? 0), 0);
  const body = Buffer.allocUnsafe(1 + name.length + 1 + 2 + 2 * values.length + 2 + valueBytes + 4);
  let position = body.writeUInt8(0, 0); // the unnamed portal
  position += body.write(name, position, 'latin1');
  position = body.writeUInt8(0, position);
  position = body.writeInt16BE(values.length, position);
  for (const parameter of parameters) {
    position = body.writeInt16BE(parameter instanceof Uint8Array ? 1 : 0, position);
  }
  position = body.writeInt16BE(values.length, position);
  for (const value of values) {
    position = body.writeInt32BE(value ? value.length : -1, position);
    if (!value) continue;
    body.set(value, position);
    position += value.length;
  }
  position = body.writeInt16BE(1, position); // one result format for all columns: binary
  body.writeInt16BE(1, position);
  return Buffer.concat([message('B', body), executeAllRows]);
}
