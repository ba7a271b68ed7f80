import { setTimeout as pause } from 'node:timers/promises';
import type { ErrorCode } from '../../../schema/errorCodes.ts';
import type { ProblemDetails } from '../../../schema/Problem.ts';
import { connectTestDatabase } from '../../../test/support/connectTestDatabase.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import { scoped } from '../installation/scoped.ts';
import { syncIndexes } from '../mongo/syncIndexes.ts';
import { asFinal } from './finalAnswers.ts';
import { ExecutionModel } from './model.ts';
import { type Attempt, once } from './once.ts';
import { onceByKey } from './onceByKey.ts';

// What an idempotency key answers, in every situation that the documentation tells apart.

let database: Awaited<ReturnType<typeof connectTestDatabase>>;
let now = Date.now();
let last = 0;

beforeAll(async () => {
  database = await connectTestDatabase();
  await syncIndexes([ExecutionModel]);
});
afterAll(() => database.close());

type Caller = RequestContext & { answer: { idempotentReplayed?: boolean } };

const caller = (): Caller =>
  ({
    installationId: 'ins_a',
    viewer: { id: 'usr_1' },
    platform: { now: () => now },
    answer: {},
  }) as unknown as Caller;
const newKey = () => `key-${(last += 1)}`;

/** Runs under a key; answers what came of it, whether it was repeated, and whether `run` was called. */
async function attempt(idempotencyKey: string, run: (attempt: Attempt) => Promise<object>, title = 'a') {
  const context = caller();
  let ran: Attempt | null = null;
  const input = { idempotencyKey, title };
  const outcome = await once(context, 'createPayment', input, (one) => {
    ran = one;
    return run(one);
  }).catch((error: unknown) => error);
  return { outcome, ran: ran as Attempt | null, isReplayed: context.answer.idempotentReplayed === true };
}

const succeed = async () => ({ payment: 'pay' });
const refuse =
  (code: ErrorCode, details: ProblemDetails = {}) =>
  async () => {
    throw new AppError(code, 'no', details);
  };

test('first use: it runs, and its answer is kept for 24 hours', async () => {
  const key = newKey();
  expect(await attempt(key, succeed)).toMatchObject({ outcome: { payment: 'pay' }, isReplayed: false });
  const indexes = await ExecutionModel.collection.indexes();
  expect(indexes).toContainEqual(
    expect.objectContaining({ key: { createdAt: 1 }, expireAfterSeconds: 86_400 }),
  );
});

test('finished, the same request: the kept answer, marked as replayed', async () => {
  const key = newKey();
  await attempt(key, succeed);
  expect(await attempt(key, succeed)).toEqual({ outcome: { payment: 'pay' }, ran: null, isReplayed: true });
});

test('another request under the same key is refused, whatever became of the first', async () => {
  for (const first of [succeed, refuse('invalid_transition'), refuse('internal_error')]) {
    const key = newKey();
    await attempt(key, first);
    const other = await attempt(key, succeed, 'b');
    expect(other).toMatchObject({ outcome: { code: 'idempotency_key_reused', status: 422 }, ran: null });
  }
});

/** A request that somebody is at, or was when his process died: nothing renews its lease unless it is said. */
async function begin(key: string) {
  let renew = (): void => undefined;
  const { setInterval } = globalThis;
  globalThis.setInterval = ((callback: () => void) => {
    renew = callback;
    return setTimeout(() => undefined, 0);
  }) as typeof setInterval;
  let finish = (): void => undefined;
  const ending = new Promise<void>((done) => (finish = done));
  let running: ReturnType<typeof attempt> | undefined;
  await new Promise<void>((begun) => {
    running = attempt(key, async () => {
      begun();
      await ending;
      return { payment: 'pay' };
    });
  });
  globalThis.setInterval = setInterval;
  return { finish, renew: () => renew(), running };
}

const leaseOf = async (since: Date) =>
  (await scoped(ExecutionModel, 'ins_a').count({ leaseUntil: { $gt: since } })) > 0;

test('still running: a conflict that says when to come back, for as long as somebody is at it', async () => {
  const key = newKey();
  const { running, renew, finish } = await begin(key);
  const busy = await attempt(key, succeed);
  expect(busy).toMatchObject({ ran: null, outcome: { code: 'idempotency_in_progress', status: 409 } });
  expect((busy.outcome as AppError).details).toEqual({ retryAfter: 1 });
  const leaseUntil = new Date(now + 15_000);
  now += 14_000;
  renew();
  while (!(await leaseOf(leaseUntil))) await pause(20);
  now += 14_000;
  expect((await attempt(key, succeed)).ran).toBeNull();
  finish();
  expect((await running)?.outcome).toEqual({ payment: 'pay' });
  expect(await attempt(key, succeed)).toMatchObject({ ran: null, isReplayed: true });
});

test.each<[ErrorCode, number]>([
  ['unsupported_parameter', 400],
  ['reauthentication_required', 401],
  ['own_listing', 403],
  ['not_found', 404],
  ['payload_too_large', 413],
  ['unsupported_media_type', 415],
  ['validation_failed', 422],
  ['rate_limited', 429],
])('refused with %s (%i) before anything is begun: not kept, the key is free', async (code, status) => {
  const key = newKey();
  expect(await attempt(key, refuse(code))).toMatchObject({ outcome: { code, status } });
  const again = await attempt(key, succeed, 'even another request');
  expect(again).toMatchObject({
    outcome: { payment: 'pay' },
    isReplayed: false,
    ran: { isRepeated: false },
  });
});

test('a conflict is kept, with what it says, however the record is by then', async () => {
  const key = newKey();
  const details = { allowedFrom: { state: 'canceled', allowed: [] } };
  await attempt(key, refuse('invalid_transition', details));
  const again = await attempt(key, succeed);
  expect(again).toMatchObject({
    outcome: { code: 'invalid_transition', message: 'no', status: 409, details },
    ran: null,
    isReplayed: true,
  });
});

test('a conflict that asks for a repetition is none of the request’s: the key is free', async () => {
  const key = newKey();
  await attempt(key, refuse('concurrent_update', { retryAfter: 1 }));
  expect(await attempt(key, succeed)).toMatchObject({ outcome: { payment: 'pay' }, isReplayed: false });
});

test('a provider’s decline is kept', async () => {
  const key = newKey();
  await attempt(key, async () => {
    throw asFinal(new AppError('provider_error', 'declined'));
  });
  const again = await attempt(key, succeed);
  expect(again).toMatchObject({
    outcome: { code: 'provider_error', status: 502 },
    ran: null,
    isReplayed: true,
  });
});

test.each<[string, () => Promise<object>]>([
  ['a provider that does not answer', refuse('provider_error')],
  ['an error of our own', refuse('internal_error')],
  ['what nobody expected', () => Promise.reject(new Error('boom'))],
])('5xx: after %s the same request goes on at once, and knows that it does', async (_, fail) => {
  const key = newKey();
  const first = await attempt(key, fail);
  const again = await attempt(key, succeed);
  expect(again).toMatchObject({
    outcome: { payment: 'pay' },
    isReplayed: false,
    ran: { isRepeated: true },
  });
  expect(again.ran?.newId('payment')).toBe(first.ran?.newId('payment'));
  expect(await attempt(key, succeed)).toMatchObject({ ran: null, isReplayed: true });
});

test('a crash: within 15 seconds the same request goes on, and knows that it does', async () => {
  const key = newKey();
  await begin(key);
  now += 14_000;
  expect(await attempt(key, succeed)).toMatchObject({ outcome: { code: 'idempotency_in_progress' } });
  now += 1001;
  expect(await attempt(key, succeed)).toMatchObject({
    outcome: { payment: 'pay' },
    ran: { isRepeated: true },
  });
});

test('a key that is required and missing is refused', async () => {
  const missing = onceByKey(caller(), 'createPayment', {}, succeed);
  await expect(missing).rejects.toMatchObject({ code: 'idempotency_key_required', status: 400 });
});
