/**
 * A place in the order of all changes: sixteen hexadecimal digits of a commit's place in the write-ahead log and six
 * of the change's number inside that commit, so that positions compare as text. It is also what a resume token holds.
 */
export type Position = string;

const positionPattern = /^[0-9a-f]{22}$/;

export function isPosition(text: unknown): text is Position {
  return typeof text === 'string' && positionPattern.test(text);
}

export function positionOf(commitPlace: bigint, change: number): Position {
  return commitPlace.toString(16).padStart(16, '0') + change.toString(16).padStart(6, '0');
}

/** After every commit before a log sequence number as PostgreSQL prints it ("16/B374D848"). */
export function positionBefore(logSequenceNumber: string): Position {
  const [high = '0', low = '0'] = logSequenceNumber.split('/');
  const place = (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
  return positionOf(place - 1n, 0xffffff);
}

/** The change's number inside its commit. */
export function changeNumberOf(position: Position): number {
  return Number.parseInt(position.slice(16), 16);
}
