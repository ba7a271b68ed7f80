import { product } from '../../../test/support/product.ts';
import { interceptWrites } from '../../../test/support/stack/interceptWrites.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import { scoped } from '../installation/scoped.ts';
import { type Claim, claimKey, endRun, freeKey, releaseRun, renewLease } from './claim.ts';
import { ExecutionModel } from './model.ts';
import { once } from './once.ts';

const { market } = product();
let now = Date.now();
let last = 0;
let id: string;
beforeEach(() => {
  id = `claim-${(last += 1)}`;
});
const { setInterval, clearInterval } = globalThis;
afterEach(() => {
  interceptWrites(null);
  Object.assign(globalThis, { setInterval, clearInterval });
});

const context = () =>
  ({
    installationId: market.installation.id,
    viewer: { id: 'usr_1' },
    platform: { now: () => now },
    answer: {},
  }) as unknown as RequestContext;
const executions = () => scoped(ExecutionModel, market.installation.id);
const claim = async () => (await claimKey(context(), id, 'the request')) as Claim;
const busy = { code: 'idempotency_in_progress' };

/** Replaces the timer of a lease, so that the test can read its interval and call it. */
function takeTimer() {
  const timer = { everyMs: 0, isStopped: false, renew: () => {} };
  globalThis.setInterval = ((renew: () => void, everyMs: number) => {
    Object.assign(timer, { renew, everyMs });
    return setTimeout(() => undefined, 0);
  }) as typeof setInterval;
  globalThis.clearInterval = () => void (timer.isStopped = true);
  return timer;
}

test('a lease expires after 15 seconds, and its timer renews it before that', async () => {
  const timer = takeTimer();
  const stop = renewLease(context(), await claim());
  expect(timer.everyMs).toBeLessThanOrEqual(7500);
  expect(timer.everyMs).toBeGreaterThan(0);
  now += 15_000;
  await expect(claim()).rejects.toMatchObject(busy);
  stop();
  expect(timer.isStopped).toBe(true);
  now += 1;
  expect(await claim()).toMatchObject({ isRepeated: true });
});

test('a run that lost its key does not renew the lease of the run that continues it', async () => {
  const timer = takeTimer();
  renewLease(context(), await claim());
  now += 15_001;
  await claim();
  const { leaseUntil } = (await executions().findOne({ _id: id })) ?? {};
  now += 1000;
  let written: Promise<unknown> = Promise.resolve();
  interceptWrites((_, run) => (written = run()));
  timer.renew();
  await new Promise(setImmediate);
  await written;
  expect((await executions().findOne({ _id: id }))?.leaseUntil).toEqual(leaseUntil);
});

test('a key whose run ends while another run claims it is not executed again', async () => {
  const first = await claim();
  now += 15_001;
  interceptWrites(async (write, run) => {
    if (write !== 'idempotency_keys.findOneAndUpdate') return run();
    interceptWrites(null);
    await endRun(context(), first, { state: 'done', payload: {} });
    return run();
  });
  await expect(claim()).rejects.toMatchObject(busy);
  expect(await claim()).toMatchObject({ ended: { state: 'done' } });
});

test('a key that is freed during a claim is claimed as a new key', async () => {
  const first = await claim();
  interceptWrites(async (write, run) => {
    if (!write.startsWith('idempotency_keys.insert')) return run();
    interceptWrites(null);
    const inserted = run().catch((error: unknown) => error);
    const error = await inserted;
    await freeKey(context(), first);
    throw error;
  });
  expect(await claim()).toMatchObject({ isRepeated: false });
});

test('a claim that cannot be stored fails with the error of the database', async () => {
  interceptWrites((write, run) => {
    if (!write.startsWith('idempotency_keys.insert')) return run();
    interceptWrites(null);
    return Promise.reject(new Error('away'));
  });
  await expect(claim()).rejects.toThrow('away');
});

test('only the run that holds a key can end, release or free it', async () => {
  const first = await claim();
  now += 15_001;
  const second = await claim();
  expect(await endRun(context(), first, { state: 'done' })).toBe(false);
  expect(await releaseRun(context(), first)).toBe(false);
  expect(await freeKey(context(), first)).toBe(false);
  await expect(claim()).rejects.toMatchObject(busy);
  expect(await releaseRun(context(), second)).toBe(true);
  const third = await claim();
  expect(await freeKey(context(), third)).toBe(true);
  expect(await claim()).toMatchObject({ isRepeated: false });
});

test.each([null, undefined])(
  'a request with the key %s runs each time and stores nothing',
  async (idempotencyKey) => {
    const before = await executions().count({});
    const repeated: boolean[] = [];
    for (let time = 0; time < 2; time += 1)
      await once(
        context(),
        'createListing',
        { idempotencyKey },
        async ({ isRepeated }) => void repeated.push(isRepeated),
      );
    expect(repeated).toEqual([false, false]);
    expect(await executions().count({})).toBe(before);
  },
);

test('a request whose input has null members runs once', async () => {
  const input = { idempotencyKey: id, note: null };
  expect(await once(context(), 'createListing', input, async () => 'first')).toBe('first');
  expect(await once(context(), 'createListing', input, async () => 'second')).toBe('first');
});

test('an error of a run is returned unchanged if the database cannot store it', async () => {
  interceptWrites((write, run) =>
    write === 'idempotency_keys.findOneAndUpdate' ? Promise.reject(new Error('away')) : run(),
  );
  const failing = once(context(), 'createListing', { idempotencyKey: id }, () =>
    Promise.reject(new Error('boom')),
  );
  await expect(failing).rejects.toThrow('boom');
});

test.each<[string, () => Promise<unknown>]>([
  ['succeeds', async () => 'done'],
  ['fails', () => Promise.reject(new Error('boom'))],
])('a run that %s no longer renews its lease', async (_, run) => {
  const timer = takeTimer();
  await once(context(), 'createListing', { idempotencyKey: id }, run).catch(() => null);
  expect(timer.isStopped).toBe(true);
});

test('a run whose key was deleted meanwhile returns its own outcome', async () => {
  const run = async () => {
    await executions().deleteMany({ fingerprint: { $exists: true } });
    return 'own';
  };
  expect(await once(context(), 'createListing', { idempotencyKey: id }, run)).toBe('own');
});
