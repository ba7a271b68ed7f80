import mongoose from 'mongoose';
import pino from 'pino';
import { product } from '../../../test/support/product.ts';
import { unique } from '../../../test/support/seed.ts';
import { keepLease, type Lease } from './lease.ts';

product();
const lengthMs = 300;
const ending = new AbortController();
afterAll(() => ending.abort());

const keep = (name: string) =>
  keepLease(name, { lengthMs, closing: ending.signal, log: pino({ level: 'silent' }) });
const held = async (keeper: ReturnType<typeof keep>) => (await keeper.held()) as Lease;
/** Changes the lease as another process does that takes it after it expired. */
const takeElsewhere = (_id: string) =>
  mongoose.connection
    .collection<{ _id: string }>('leases')
    .updateOne({ _id }, { $inc: { fence: 1 }, $set: { holder: 'another', until: new Date(0) } });

test('a process that lost a lease to another one cannot use it, and holds it again after it expired', async () => {
  const name = unique('lease');
  const keeper = keep(name);
  const lost = await held(keeper);
  await lost.assertHeld();
  await takeElsewhere(name);
  const isLost = new Promise((aborted) => lost.signal.addEventListener('abort', aborted));
  await isLost;
  await expect(lost.assertHeld()).rejects.toThrow(`The lease "${name}" is now held by another process.`);
  expect((await held(keeper)).fence).toBe(lost.fence + 2);
});

test('one of two processes holds a lease, and the other holds it with a higher fence after its release', async () => {
  const name = unique('lease');
  const leaving = new AbortController();
  const log = pino({ level: 'silent' });
  const first = keepLease(name, { lengthMs: 60_000, closing: leaving.signal, log });
  const { fence } = await held(first);
  const second = keep(name);
  expect([first.isHeld, second.isHeld]).toEqual([true, false]);
  leaving.abort();
  await first.release();
  expect((await held(second)).fence).toBe(fence + 1);
  expect(first.isHeld).toBe(false);
  expect(await first.held()).toBeNull();
});
