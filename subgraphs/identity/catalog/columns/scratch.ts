/** What an array is for: those of one purpose are never used by two at a time. */
type Purpose = 'selected' | 'matched';

const rows = new Map<Purpose, Uint32Array>();
let failures = new Uint8Array();
let scores = new Uint16Array();

/**
 * An array for row numbers, with whatever is left in it. The process has one for each purpose: a query of a large
 * catalogue would otherwise leave megabytes behind. Good within the turn of a query alone, see `inTurn`.
 */
export function scratchRows(purpose: Purpose, length: number): Uint32Array {
  let array = rows.get(purpose);
  if (!array || array.length < length) {
    array = new Uint32Array(length);
    rows.set(purpose, array);
  }
  return array;
}

/** The same for which conditions rows fail. */
export function scratchFailures(length: number): Uint8Array {
  if (failures.length < length) failures = new Uint8Array(length);
  return failures;
}

/** The same for how well rows match. */
export function scratchScores(length: number): Uint16Array {
  if (scores.length < length) scores = new Uint16Array(length);
  return scores;
}
