import { randomUUID } from 'node:crypto';
import type { ItemName } from '../world/Item.ts';
import type { Call, Case, Cell } from './Operation.ts';

type Texts = Readonly<Record<string, string>>;

/** A query whose arguments are its path parameters. */
export const reading = (path: Texts = {}): Call => ({ variables: path, path });

/** A query whose arguments are its query parameters. */
export const asking = (query: Texts): Call => ({ variables: query, query });

/**
 * A mutation whose input consists of its path parameters and its body.
 *
 * @param inGraphql members with another form in GraphQL, such as enum values
 */
export function writing(path: Texts, body?: object, inGraphql: object = {}): Call {
  return { variables: { input: { ...path, ...body, ...inGraphql } }, path, ...(body && { body }) };
}

/** A mutation with an idempotency key. */
export function writingOnce(path: Texts, body: object = {}, inGraphql: object = {}): Call {
  return writing(path, body, { ...inGraphql, idempotencyKey: randomUUID() });
}

/** A case per item, called with its id. */
export function onEach(
  items: readonly ItemName[],
  call: (id: string, cell: Cell) => Call | Promise<Call>,
  options: Partial<Case> = {},
): Case[] {
  return items.map((item) => ({ item, call: (cell) => call(cell.item?.id ?? '', cell), ...options }));
}

/** A case per item. An allowed call uses a new record, because it changes the record. */
export function onFresh(
  items: readonly ItemName[],
  create: (cell: Cell) => Promise<string>,
  call: (id: string, cell: Cell) => Call | Promise<Call>,
  options: Partial<Case> = {},
): Case[] {
  return onEach(items, async (id, cell) => call(cell.isAnswered ? await create(cell) : id, cell), options);
}

/** A call without an item. */
export function once(call: (cell: Cell) => Call | Promise<Call>, options: Partial<Case> = {}): Case {
  return { call, ...options };
}

/** A list of all records of the caller, and one of the records of each dealer. */
export function ofDealers(
  items: readonly ItemName[],
  meaning: NonNullable<Case['meaning']>,
  dealerIdOf: (cell: Cell) => string | null | undefined = ({ item }) => item?.id,
): Case[] {
  const call = (_: string, cell: Cell) => asking({ dealerId: dealerIdOf(cell) ?? '' });
  return [{ name: 'of everybody', call: () => ({ variables: {} }) }, ...onEach(items, call, { meaning })];
}

/** Ids of the records in a list of REST or GraphQL. */
export function idsIn(data: any): string[] {
  return (data.nodes ?? data.data).map(({ id }: { id: string }) => id);
}

/** Expects the record of the answer in a state. In GraphQL, it is this member of the payload. */
export function hasState(member: string, state: string): NonNullable<Case['check']> {
  return (data) => expect((data[member] ?? data).state.toLowerCase()).toBe(state);
}

/** Expects the answer to be about the item. */
export const isItem: NonNullable<Case['check']> = (data, { item }) => expect(data.id).toBe(item?.id);
