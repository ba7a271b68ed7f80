/**
 * A position in the order of all changes. It has sixteen hexadecimal digits of the commit's position in the write-ahead
 * log and six of the change's number in that commit, so that positions compare as text. Resume tokens contain it.
 */
export type Position = string;

const positionPattern = /^[0-9a-f]{22}$/;

export function isPosition(text: unknown): text is Position {
  return typeof text === 'string' && positionPattern.test(text);
}

export function positionOf(commitPlace: bigint, change: number): Position {
  return commitPlace.toString(16).padStart(16, '0') + change.toString(16).padStart(6, '0');
}

/** Returns the position after every commit before a log sequence number in PostgreSQL's notation ("16/B374D848"). */
export function positionBefore(logSequenceNumber: string): Position {
  const [high = '0', low = '0'] = logSequenceNumber.split('/');
  const place = (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
  return positionOf(place - 1n, 0xffffff);
}

/** Returns the change's number in its commit. */
export function changeNumberOf(position: Position): number {
  return Number.parseInt(position.slice(16), 16);
}
