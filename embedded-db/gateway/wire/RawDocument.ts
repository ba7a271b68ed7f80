import { CommandError } from '../CommandError.ts';

interface Field {
  type: number;
  offset: number;
  length: number;
}

const bson = {
  double: 0x01,
  string: 0x02,
  document: 0x03,
  array: 0x04,
  binary: 0x05,
  boolean: 0x08,
  symbol: 0x0e,
  int32: 0x10,
  int64: 0x12,
} as const;

/** Value sizes that do not depend on the value; bsonspec.org 1.1. */
const fixedLength = new Map<number, number>([
  [0x01, 8],
  [0x06, 0],
  [0x07, 12],
  [0x08, 1],
  [0x09, 8],
  [0x0a, 0],
  [0x10, 4],
  [0x11, 8],
  [0x12, 8],
  [0x13, 16],
  [0x7f, 0],
  [0xff, 0],
]);

/**
 * A BSON document whose top level can be read without decoding the rest. The gateway reads only a command's name and
 * options; the inner documents are passed to PostgreSQL as received, so a full decode is not needed. Every length is
 * checked against the buffer, because the bytes come from a socket.
 */
export class RawDocument {
  readonly bytes: Buffer;
  readonly #fields = new Map<string, Field>();

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    if (bytes.length < 5 || bytes.readInt32LE(0) !== bytes.length) throw malformed('document length');
    const end = bytes.length - 1;
    let position = 4;
    while (position < end) {
      const type = bytes[position] ?? 0;
      const nameEnd = bytes.indexOf(0, position + 1);
      if (nameEnd < 0 || nameEnd >= end) throw malformed('field name');
      const name = bytes.toString('utf8', position + 1, nameEnd);
      const offset = nameEnd + 1;
      const length = valueLength(bytes, type, offset);
      if (length < 0 || offset + length > end) throw malformed(`length of field ${name}`);
      this.#fields.set(name, { type, offset, length });
      position = offset + length;
    }
  }

  /** The name of the first field: of a command document, the command. */
  get firstName(): string {
    for (const name of this.#fields.keys()) return name;
    throw malformed('a command without a name');
  }

  get size(): number {
    return this.#fields.size;
  }

  has(name: string): boolean {
    return this.#fields.has(name);
  }

  string(name: string): string | undefined {
    const field = this.#fields.get(name);
    if (!field || (field.type !== bson.string && field.type !== bson.symbol)) return undefined;
    return this.bytes.toString('utf8', field.offset + 4, field.offset + field.length - 1);
  }

  /** Returns a boolean. Numbers count as booleans, as in MongoDB's command options: everything but zero is true. */
  boolean(name: string): boolean | undefined {
    const field = this.#fields.get(name);
    if (!field) return undefined;
    if (field.type === bson.boolean) return this.bytes[field.offset] === 1;
    const number = this.integer(name);
    return number !== undefined && number !== 0n;
  }

  integer(name: string): bigint | undefined {
    const field = this.#fields.get(name);
    if (!field) return undefined;
    if (field.type === bson.int64) return this.bytes.readBigInt64LE(field.offset);
    if (field.type === bson.int32) return BigInt(this.bytes.readInt32LE(field.offset));
    if (field.type !== bson.double) return undefined;
    const number = this.bytes.readDoubleLE(field.offset);
    return Number.isFinite(number) ? BigInt(Math.trunc(number)) : undefined;
  }

  /** Returns the bytes of an embedded document or array. */
  embedded(name: string): Buffer | undefined {
    const field = this.#fields.get(name);
    if (!field || (field.type !== bson.document && field.type !== bson.array)) return undefined;
    return this.bytes.subarray(field.offset, field.offset + field.length);
  }

  binary(name: string): Buffer | undefined {
    const field = this.#fields.get(name);
    if (field?.type !== bson.binary) return undefined;
    return this.bytes.subarray(field.offset + 5, field.offset + field.length);
  }
}

function valueLength(bytes: Buffer, type: number, offset: number): number {
  const fixed = fixedLength.get(type);
  if (fixed !== undefined) return fixed;
  if (type === 0x0b) return regularExpressionLength(bytes, offset);
  if (offset + 4 > bytes.length) throw malformed('field length');
  const declared = bytes.readInt32LE(offset);
  switch (type) {
    case 0x02: // string, code and symbol: a length before the text
    case 0x0d:
    case 0x0e:
      return declared < 1 ? -1 : 4 + declared;
    case 0x03: // document, array and code with scope: the length counts itself
    case 0x04:
    case 0x0f:
      return declared < 5 ? -1 : declared;
    case 0x05: // binary: length and one byte of subtype before the data
      return declared < 0 ? -1 : 5 + declared;
    case 0x0c: // pointer: a string and an object id
      return declared < 1 ? -1 : 4 + declared + 12;
    default:
      throw malformed(`type ${type}`);
  }
}

function regularExpressionLength(bytes: Buffer, offset: number): number {
  const patternEnd = bytes.indexOf(0, offset);
  const optionsEnd = patternEnd < 0 ? -1 : bytes.indexOf(0, patternEnd + 1);
  return optionsEnd < 0 ? -1 : optionsEnd + 1 - offset;
}

function malformed(what: string): CommandError {
  return new CommandError('InvalidBSON', `malformed BSON: ${what}`);
}
