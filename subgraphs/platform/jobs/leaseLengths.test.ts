import mongoose from 'mongoose';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { unique } from '../../../test/support/seed.ts';
import type { Job } from './Job.ts';
import { startJobs } from './startJobs.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [] });
});
afterAll(() => stack.close());

test('each lease is as long as its job says, a minute where it says nothing', async () => {
  const begun: Promise<void>[] = [];
  const make = (changes: Partial<Job>): Job => {
    const { promise, resolve } = Promise.withResolvers<void>();
    begun.push(promise);
    return { name: unique('job'), everyMs: 3_600_000, run: async () => resolve(), ...changes };
  };
  const [short, usual, long] = [make({ leaseMs: 20_000 }), make({}), make({ leaseMs: 3_600_000 })];
  const running = startJobs([short, usual, long], stack.platform);
  await Promise.all(begun);
  const leases = mongoose.connection.collection<{ _id: string; until: Date }>('leases');
  const untilOf = async ({ name }: Job) => (await leases.findOne({ _id: name }))?.until.getTime() ?? 0;
  const [early, later, last] = [await untilOf(short), await untilOf(usual), await untilOf(long)];
  // They were taken at about one time; whatever that was, these lengths are far enough apart.
  expect(early).toBeLessThan(later);
  expect(later).toBeLessThan(last);
  expect(last - early).toBeGreaterThan(3_000_000);
  await running.close();
  expect(
    await leases.countDocuments({ _id: { $in: [short.name, usual.name, long.name] }, holder: null }),
  ).toBe(3);
});
