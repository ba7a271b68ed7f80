import mongoose from 'mongoose';
import { isDuplicateKey } from './scoped.ts';

/**
 * Runs writes that create a record once, within a transaction. If another transaction has created the record since this
 * one began, the database reports a duplicate key, which the driver repeats only with this label; the repetition finds
 * the record.
 */
export async function repeatOnDuplicate<T>(writes: () => Promise<T>): Promise<T> {
  try {
    return await writes();
  } catch (error) {
    if (isDuplicateKey(error) && error instanceof mongoose.mongo.MongoError)
      error.addErrorLabel('TransientTransactionError');
    throw error;
  }
}
