import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import pino from 'pino';
import { product } from '../../../test/support/product.ts';
import { unique } from '../../../test/support/seed.ts';
import { countCommands } from '../../../test/support/stack/countCommands.ts';
import { interceptWrites } from '../../../test/support/stack/interceptWrites.ts';
import { keepLease, type Lease } from './lease.ts';

product();
let ending: AbortController;
beforeEach(() => {
  ending = new AbortController();
});
afterEach(() => {
  ending.abort();
  interceptWrites(null);
});

const keep = (name: string, lengthMs = 300) =>
  keepLease(name, { lengthMs, closing: ending.signal, log: pino({ level: 'silent' }) });
const held = async (keeper: ReturnType<typeof keep>) => (await keeper.held()) as Lease;
/** Changes the lease as another process does that takes it after it expired. */
const takeElsewhere = (_id: string) =>
  mongoose.connection
    .collection<{ _id: string }>('leases')
    .updateOne({ _id }, { $inc: { fence: 1 }, $set: { holder: 'another', until: new Date(0) } });
/** The number of commands on leases. */
const countOfLeases = async (work: () => Promise<void>) =>
  (await countCommands(work)).commands.filter((command) => command.endsWith(' leases')).length;

test('a process that lost a lease to another one cannot use it, and holds it again after it expired', async () => {
  const name = unique('lease');
  const keeper = keep(name);
  const lost = await held(keeper);
  await lost.assertHeld();
  await takeElsewhere(name);
  await once(lost.signal, 'abort');
  await expect(lost.assertHeld()).rejects.toThrow(`The lease "${name}" is now held by another process.`);
  expect((await held(keeper)).fence).toBe(lost.fence + 2);
});

test('one of two processes holds a lease, and the other holds it with a higher fence after its release', async () => {
  const name = unique('lease');
  const leaving = new AbortController();
  const log = pino({ level: 'silent' });
  const first = keepLease(name, { lengthMs: 60_000, closing: leaving.signal, log });
  const lease = await held(first);
  expect(await first.held()).toBe(lease);
  const second = keep(name);
  expect([first.isHeld, second.isHeld]).toEqual([true, false]);
  leaving.abort();
  await first.release();
  expect((await held(second)).fence).toBe(lease.fence + 1);
  expect(first.isHeld).toBe(false);
  expect(await first.held()).toBeNull();
});

test('a lease is confirmed without a command after a recent renewal, and is not renewed when its process ends', async () => {
  const keeper = keep(unique('lease'), 60_000);
  const lease = await held(keeper);
  expect(await countOfLeases(() => lease.assertHeld())).toBe(0);
  ending.abort();
  expect(await countOfLeases(() => keeper.release())).toBe(1);
});

test('a lease that another process took is noticed when it is next confirmed', async () => {
  const name = unique('lease');
  // It is renewed every 900 ms, and a confirmation is good for 100 ms.
  const lost = await held(keep(name, 3000));
  await pause(150);
  await takeElsewhere(name);
  await expect(lost.assertHeld()).rejects.toThrow('is now held by another process.');
});

test('a lease survives a failed renewal, and is lost if all fail until it expires', async () => {
  const [shaky, cut] = [unique('lease'), unique('lease')];
  const lengthMs = 600;
  const takenAt = performance.now();
  const renewedAgain = Promise.withResolvers<void>();
  let failures = 0;
  interceptWrites(async (write, run, [filter]) => {
    const { _id, fence } = filter as { _id?: string; fence?: number };
    const isRenewal = write === 'leases.updateOne' && fence !== undefined;
    if (isRenewal && _id === cut) throw new Error('The database is down.');
    if (!isRenewal || _id !== shaky || performance.now() < takenAt + lengthMs) return run();
    failures += 1;
    if (failures === 1) throw new Error('The database is down.');
    renewedAgain.resolve();
    return run();
  });
  const [survivor, lost] = await Promise.all([held(keep(shaky, lengthMs)), held(keep(cut))]);
  await Promise.all([renewedAgain.promise, once(lost.signal, 'abort')]);
  expect([failures > 0, survivor.signal.aborted]).toEqual([true, false]);
});
