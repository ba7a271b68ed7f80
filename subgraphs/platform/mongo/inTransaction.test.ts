import mongoose, { type ClientSession } from 'mongoose';
import { product } from '../../../test/support/product.ts';
import { AppError } from '../errors/AppError.ts';
import { inTransaction } from './inTransaction.ts';

product();
const filter = { _id: 'one' };
const counters = () => mongoose.connection.collection<{ _id: string; count: number }>('transaction_counters');
const read = async (options: { session?: ClientSession } = {}) =>
  (await counters().findOne(filter, options))?.count ?? 0;
const write = (count: number, options: { session?: ClientSession } = {}) =>
  counters().updateOne(filter, { $set: { count } }, { ...options, upsert: true });
beforeEach(() => write(0));

test('120 concurrent transactions that write the same record all succeed', async () => {
  const transactions = Array.from({ length: 120 }, () =>
    inTransaction(async (session) => {
      const before = await read({ session });
      await write(before + 1, { session });
      return before;
    }),
  );
  // Each transaction reads the value that the previous one has written.
  expect(new Set(await Promise.all(transactions)).size).toBe(120);
  expect(await read()).toBe(120);
});

test('an error aborts only its own transaction', async () => {
  const transactions = Array.from({ length: 40 }, (_, index) =>
    inTransaction(async (session) => {
      await counters().updateOne(filter, { $inc: { count: 1 } }, { session });
      if (index % 2 === 0) throw new AppError('not_found', 'No.');
    }),
  );
  const results = await Promise.allSettled(transactions);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(20);
  expect(await read()).toBe(20);
});
