import type { ClientSession } from 'mongoose';
import { inTransaction } from './inTransaction.ts';

/** Something that is done in one transaction, in parts, so that several of them can be one. */
export interface Act<T> {
  /** Checks, and creates records that the transaction only writes. */
  prepare(): Promise<void>;
  /** Runs the change. It is repeated on conflicts, so it may contain only database commands. */
  within(session: ClientSession): Promise<T>;
  /** Runs the steps after the commit. */
  settle(result: T): Promise<void>;
}

/** Performs the act in a transaction of its own. */
export async function performAct<T>(act: Act<T>): Promise<T> {
  await act.prepare();
  const result = await inTransaction((session) => act.within(session));
  await act.settle(result);
  return result;
}
