import mongoose from 'mongoose';
import { connectTestDatabase } from '../../../test/support/connectTestDatabase.ts';
import { AppError } from '../errors/AppError.ts';
import { inTransaction } from './inTransaction.ts';

let database: Awaited<ReturnType<typeof connectTestDatabase>>;
const counters = () => mongoose.connection.collection<{ _id: string; count: number }>('counters');

beforeAll(async () => {
  database = await connectTestDatabase();
});
beforeEach(async () => {
  await counters().deleteMany({});
  await counters().insertOne({ _id: 'one', count: 0 });
});
afterAll(() => database.close());

test('more transactions at once than there are connections, all on one record, are all made', async () => {
  const results = await Promise.all(
    Array.from({ length: 120 }, () =>
      inTransaction(async (session) => {
        const before = await counters().findOne({ _id: 'one' }, { session });
        await counters().updateOne(
          { _id: 'one' },
          { $set: { count: (before?.count ?? 0) + 1 } },
          { session },
        );
        return before?.count;
      }),
    ),
  );
  expect(await counters().findOne({})).toMatchObject({ count: 120 });
  // Each saw what the one before it had left.
  expect(new Set(results).size).toBe(120);
});

test('what is thrown undoes the work, and others go on', async () => {
  const work = Array.from({ length: 40 }, (_, index) =>
    inTransaction(async (session) => {
      await counters().updateOne({ _id: 'one' }, { $inc: { count: 1 } }, { session });
      if (index % 2 === 0) throw new AppError('not_found', 'No.');
    }),
  );
  const results = await Promise.allSettled(work);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(20);
  expect(await counters().findOne({})).toMatchObject({ count: 20 });
});
