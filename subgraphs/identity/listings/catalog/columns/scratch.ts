/** Purpose of an array: arrays of one purpose are never used concurrently. */
type Purpose = 'selected' | WordPurpose;
/** Words of the owners' texts and of translations. */
export type WordPurpose = 'matched' | 'translated';

const rows = new Map<Purpose, Uint32Array>();
let failures = new Uint8Array();
const scores = new Map<WordPurpose, Uint16Array>();

/**
 * Returns an array for row numbers, with arbitrary content. The process has one for each purpose, because a query of a
 * large catalog would otherwise leave megabytes of garbage. Valid only within the turn of a query, see `inTurn`.
 */
export function scratchRows(purpose: Purpose, length: number): Uint32Array {
  let array = rows.get(purpose);
  if (!array || array.length < length) {
    array = new Uint32Array(length);
    rows.set(purpose, array);
  }
  return array;
}

/** Returns a scratch array for the conditions that rows fail. */
export function scratchFailures(length: number): Uint8Array {
  if (failures.length < length) failures = new Uint8Array(length);
  return failures;
}

/** Returns a scratch array for the match scores of rows. */
export function scratchScores(purpose: WordPurpose, length: number): Uint16Array {
  let array = scores.get(purpose);
  if (!array || array.length < length) {
    array = new Uint16Array(length);
    scores.set(purpose, array);
  }
  return array;
}
