/** What an array is for: those of one purpose are never used by two at a time. */
type Purpose = 'shown' | 'met' | 'picked' | 'verdicts' | 'failures';

const rows = new Map<Purpose, Uint32Array>();
const bytes = new Map<Purpose, Uint8Array>();

/**
 * An array for row numbers, with whatever is left in it. The process has one for each purpose: a query of a large
 * catalogue would otherwise leave megabytes behind. Good until somebody asks for the same one, so never across an await.
 */
export function scratchRows(purpose: Purpose, length: number): Uint32Array {
  let array = rows.get(purpose);
  if (!array || array.length < length) {
    array = new Uint32Array(length);
    rows.set(purpose, array);
  }
  return array;
}

/** The same for a byte a row. */
export function scratchBytes(purpose: Purpose, length: number): Uint8Array {
  let array = bytes.get(purpose);
  if (!array || array.length < length) {
    array = new Uint8Array(length);
    bytes.set(purpose, array);
  }
  return array;
}
