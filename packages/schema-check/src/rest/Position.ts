import { type Change, type ChangeKind, toChange } from '../Change.ts';

/** Who writes the value: the client (`request`) or the service (`response`). */
export type Polarity = 'request' | 'response';

/** Where a value stands: route and part, or named schema, and the members that lead to it. */
export interface Position {
  /** As in `GET /api/v1/me 200` or `schemas/Problem`. */
  readonly place: string;
  /** As in `data[].price`; empty for the value itself. */
  readonly member: string;
}

/** Compares two schemas; named schemas that are met again are not reported again. */
export type SchemaDiff = (
  polarity: Polarity,
  before: unknown,
  after: unknown,
  position: Position,
) => Change[];

/** The position of a member of the value. */
export function memberAt({ place, member }: Position, name: string): Position {
  return { place, member: member === '' ? name : `${member}.${name}` };
}

/** The position of the items of a list. */
export function itemAt({ place, member }: Position): Position {
  return { place, member: `${member}[]` };
}

/**
 * A change at a position, with the position in its sentence.
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
