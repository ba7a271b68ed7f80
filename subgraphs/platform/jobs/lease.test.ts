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
/** Does what another process does that takes the lease when its time has passed. */
const takeElsewhere = (_id: string) =>
  mongoose.connection
    .collection<{ _id: string }>('leases')
    .updateOne({ _id }, { $inc: { fence: 1 }, $set: { holder: 'another', until: new Date(0) } });

test('a lease that another process took over is refused to its former holder and taken again when it is free', async () => {
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

test('of two processes one holds a lease, and the other one holds it with a higher fence once it is released', async () => {
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
