import type { ClientSession } from 'mongoose';
import { inTransaction } from './inTransaction.ts';

/** Something that is done in one transaction, in parts, so that several of them can be one. */
export interface Act<T> {
  /** What is refused before, and records that the transaction only touches. */
  prepare(): Promise<void>;
  /** The change; repeated on conflicts, so that nothing but database commands belongs here. */
  within(session: ClientSession): Promise<T>;
  /** What follows once it is committed. */
  settle(result: T): Promise<void>;
}

/** Does it, alone. */
export async function performAct<T>(act: Act<T>): Promise<T> {
  await act.prepare();
  const result = await inTransaction((session) => act.within(session));
  await act.settle(result);
  return result;
}
