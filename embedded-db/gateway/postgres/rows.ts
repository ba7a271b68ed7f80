/** A column's value: `null`, or the result of `decodeColumn`. */
export type ColumnValue = Buffer | string | number | bigint | boolean | null;
export type Row = ColumnValue[];

const bool = 16;
const name = 19;
const int8 = 20;
const int4 = 23;
const text = 25;
const varchar = 1043;
const jsonText = 114;

/** Decodes the binary representation; unknown types (bytea, bson) stay bytes, as which documents are transferred. */
export function decodeColumn(typeId: number, bytes: Buffer): ColumnValue {
  switch (typeId) {
    case bool:
      return bytes[0] === 1;
    case int8:
      return bytes.readBigInt64BE(0);
    case int4:
      return bytes.readInt32BE(0);
    case name:
    case text:
    case varchar:
    case jsonText:
      return bytes.toString('utf8');
    default:
      return bytes;
  }
}

export function findBytes(row: Row, column: number): Buffer | undefined {
  const value = row[column];
  return Buffer.isBuffer(value) ? value : undefined;
}

/** Returns the document in a column; any other response of PostgreSQL is a fault of this gateway. */
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
