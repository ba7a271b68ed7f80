import { BSON } from 'bson';
import { FramingError } from './FrameReader.ts';
import { readRequest, writeRequest, writeResponse } from './wire.ts';

const hello = BSON.serialize({ hello: 1, $db: 'admin' });

/** An OP_QUERY on "admin.$cmd", which drivers send before they know what the server speaks. */
function legacyQuery(document: Uint8Array): Buffer {
  const name = Buffer.from('admin.$cmd\0');
  const message = Buffer.alloc(16 + 4 + name.length + 8 + document.length);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(7, 4);
  message.writeInt32LE(2004, 12);
  message.set(name, 20);
  message.set(document, 20 + name.length + 8);
  return message;
}

test('a reply has the opcode and the number of its request', () => {
  const modern = writeResponse(readRequest(writeRequest(5, hello)), hello);
  expect([modern.readInt32LE(0), modern.readInt32LE(8), modern.readInt32LE(12)]).toEqual([
    modern.length,
    5,
    2013,
  ]);
  expect(BSON.deserialize(modern.subarray(21))).toMatchObject({ hello: 1 });
  const legacy = writeResponse(readRequest(legacyQuery(hello)), hello);
  expect([legacy.readInt32LE(0), legacy.readInt32LE(8), legacy.readInt32LE(12)]).toEqual([
    legacy.length,
    7,
    1,
  ]);
  expect(BSON.deserialize(legacy.subarray(36))).toMatchObject({ hello: 1 });
});

test('finds document sequences beside the body', () => {
  const documents = Buffer.concat([BSON.serialize({ a: 1 }), BSON.serialize({ a: 2 })]);
  const name = Buffer.from('documents\0');
  const section = Buffer.alloc(1 + 4 + name.length + documents.length);
  section[0] = 1;
  section.writeInt32LE(section.length - 1, 1);
  section.set(name, 5);
  section.set(documents, 5 + name.length);
  const message = Buffer.concat([writeRequest(1, hello), section]);
  message.writeInt32LE(message.length, 0);
  expect(readRequest(message).sequences.get('documents')?.equals(documents)).toBe(true);
});

test.each([
  ['another opcode', (message: Buffer) => message.writeInt32LE(2012, 12)],
  ['a section longer than the message', (message: Buffer) => message.writeInt32LE(10_000, 21)],
  ['a section of an unknown kind', (message: Buffer) => message.writeUInt8(9, 20)],
])('refuses a message with %s', (_what, damage) => {
  const message = writeRequest(1, hello);
  damage(message);
  expect(() => readRequest(message)).toThrow(FramingError);
});

test('refuses a message without a section', () => {
  expect(() => readRequest(writeRequest(1, new Uint8Array(0)))).toThrow(FramingError);
});
