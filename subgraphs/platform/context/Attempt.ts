import { type IdType, newId } from '../ids/newId.ts';

/** One run of a mutation. A request that is retried under its idempotency key may have several. */
export interface Attempt {
  /**
   * Returns the id for the record of this type that the mutation creates. It is the same in every run of one use of a
   * key.
   */
  newId(type: IdType): string;
  /** Whether an earlier run under this key ended without an outcome: it may have written some or all of its records. */
  readonly isRepeated: boolean;
}

/** Run of a request without a key, which creates new records. */
export const attemptWithoutKey: Attempt = { newId, isRepeated: false };
