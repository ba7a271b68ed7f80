import { type Change, type ChangeKind, toChange } from '../Change.ts';

/** Writer of the value: the client (`request`) or the service (`response`). */
export type Polarity = 'request' | 'response';

/** Position of a value: route and part, or named schema, and the path of members. */
export interface Position {
  /** Place as in `GET /api/v1/me 200` or `schemas/Problem`. */
  readonly place: string;
  /** Path as in `data[].price`; empty for the value itself. */
  readonly member: string;
}

/** Compares two schemas; named schemas that are met again are not reported again. */
export type SchemaDiff = (
  polarity: Polarity,
  before: unknown,
  after: unknown,
  position: Position,
) => Change[];

/** Returns the position of a member of the value. */
export function memberAt({ place, member }: Position, name: string): Position {
  return { place, member: member === '' ? name : `${member}.${name}` };
}

/** Returns the position of the items of a list. */
export function itemAt({ place, member }: Position): Position {
  return { place, member: `${member}[]` };
}

/**
 * Returns a change at a position, which its message names.
 *
 * @param detail distinguishes several changes of one kind at one position: a keyword, a value
 */
export function changeAt(
  kind: ChangeKind,
  { place, member }: Position,
  words: string,
  detail?: string,
): Change {
  const subject = member === '' ? place : `${place} ${member}`;
  return toChange(kind, detail === undefined ? subject : `${subject} ${detail}`, `${subject} ${words}`);
}
