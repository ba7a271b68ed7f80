/** A column's value: `null`, or what `decodeColumn` makes of its type. */
export type ColumnValue = Buffer | string | number | bigint | boolean | null;
export type Row = ColumnValue[];

const BOOL = 16;
const NAME = 19;
const INT8 = 20;
const INT4 = 23;
const TEXT = 25;
const VARCHAR = 1043;
const JSON_TEXT = 114;

/** Binary representation to JavaScript; unknown types (bytea, bson) stay bytes, which is what documents travel as. */
export function decodeColumn(typeId: number, bytes: Buffer): ColumnValue {
  switch (typeId) {
    case BOOL:
      return bytes[0] === 1;
    case INT8:
      return bytes.readBigInt64BE(0);
    case INT4:
      return bytes.readInt32BE(0);
    case NAME:
    case TEXT:
    case VARCHAR:
    case JSON_TEXT:
      return bytes.toString('utf8');
    default:
      return bytes;
  }
}

export function findBytes(row: Row, column: number): Buffer | undefined {
  const value = row[column];
  return Buffer.isBuffer(value) ? value : undefined;
}

/** The document in a column; PostgreSQL answering something else is a fault of this gateway. */
export function bytesAt(row: Row | undefined, column: number): Buffer {
  const value = row?.[column];
  if (!Buffer.isBuffer(value)) throw new Error(`expected bytes in column ${column}, got ${typeof value}`);
  return value;
}

export function textAt(row: Row | undefined, column: number): string {
  const value = row?.[column];
  if (typeof value !== 'string') throw new Error(`expected text in column ${column}, got ${typeof value}`);
  return value;
}
