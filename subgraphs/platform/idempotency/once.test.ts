import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { ErrorCode } from '../../../schema/errorCodes.ts';
import type { ProblemDetails } from '../../../schema/Problem.ts';
import { product } from '../../../test/support/product.ts';
import type { Attempt } from '../context/Attempt.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import { isId } from '../ids/newId.ts';
import { scoped } from '../installation/scoped.ts';
import { asFinal } from './finalAnswers.ts';
import { ExecutionModel } from './model.ts';
import { once } from './once.ts';

const { market } = product();
let now = Date.now();
let last = 0;
const newKey = () => `key-${(last += 1)}`;

interface Request {
  readonly caller?: string;
  readonly installationId?: string;
  readonly operation?: string;
  readonly input?: object;
}

const contextOf = ({ caller = 'usr_1', installationId = market.installation.id }: Request = {}) =>
  ({
    installationId,
    viewer: { id: caller },
    platform: { now: () => now },
    answer: {},
  }) as unknown as RequestContext & { answer: { idempotentReplayed?: boolean } };

type Run = (attempt: Attempt) => Promise<object>;

/** Runs under a key. Returns the outcome, whether it was replayed, and the attempt if `run` was called. */
async function attempt(idempotencyKey: string, run: Run, request: Request = {}) {
  const context = contextOf(request);
  const { operation = 'createPayment', input = { title: 'a' } } = request;
  let ran: Attempt | null = null;
  const outcome = await once(context, operation, { ...input, idempotencyKey }, (one) => {
    ran = one;
    return run(one);
  }).catch((error: unknown) => error);
  return { outcome, ran: ran as Attempt | null, isReplayed: context.answer.idempotentReplayed === true };
}

const paid = { payment: 'pay' };
const succeed = async () => paid;
const refuse =
  (code: ErrorCode, details: ProblemDetails = {}) =>
  async () => {
    throw new AppError(code, 'no', details);
  };
const done = { outcome: paid, isReplayed: false };
const replayed = { outcome: paid, ran: null, isReplayed: true };
const busy = { outcome: { code: 'idempotency_in_progress', status: 409 }, ran: null };

test('the outcome of a finished request is replayed and expires after 24 hours', async () => {
  const key = newKey();
  expect(await attempt(key, succeed, { input: { a: { b: 1, c: 'd' }, e: 2 } })).toMatchObject(done);
  expect(await attempt(key, succeed, { input: { e: 2, a: { c: 'd', b: 1 } } })).toEqual(replayed);
  const indexes = await ExecutionModel.collection.indexes();
  expect(indexes).toContainEqual(
    expect.objectContaining({ key: { createdAt: 1 }, expireAfterSeconds: 86_400 }),
  );
});

test.each<[string, Run]>([
  ['finished', succeed],
  ['was refused', refuse('invalid_transition')],
  ['failed', refuse('internal_error')],
])('a different request with the key of a request that %s is refused', async (_, first) => {
  const key = newKey();
  await attempt(key, first);
  const other = await attempt(key, succeed, { input: { title: 'b' } });
  expect(other).toMatchObject({ outcome: { code: 'idempotency_key_reused', status: 422 }, ran: null });
});

test.each<[string, Request]>([
  ['caller', { caller: 'usr_2' }],
  ['installation', { installationId: 'ins_b' }],
  ['operation', { operation: 'publishListing' }],
])('the same key of another %s is independent', async (_, request) => {
  const key = newKey();
  await attempt(key, succeed);
  expect(await attempt(key, succeed, request)).toMatchObject(done);
});

test('of 20 concurrent equal requests one runs, and the others are refused as in progress or replayed', async () => {
  const key = newKey();
  const attempts = await Promise.all(Array.from({ length: 20 }, () => attempt(key, succeed)));
  expect(attempts.filter(({ ran }) => ran)).toHaveLength(1);
  for (const one of attempts.filter(({ ran }) => !ran))
    expect(one).toMatchObject(one.isReplayed ? replayed : busy);
});

test.each([
  ['that is empty', ''],
  ['with a space', 'a b'],
  ['with a letter outside of ASCII', 'ä'],
  ['of 256 characters', 'x'.repeat(256)],
])('an idempotency key %s is refused', async (_, key) => {
  expect(await attempt(key, succeed)).toMatchObject({ outcome: { code: 'idempotency_key_invalid' } });
});

test('every run with the same key creates records with the same ids', async () => {
  const idsOf = async (input: { idempotencyKey?: string }, run: Run) => {
    let id = '';
    const noted: Run = (one) => {
      id = one.newId('listing');
      return run(one);
    };
    await once(contextOf(), 'createListing', input, noted).catch(() => undefined);
    return id;
  };
  const [key, other] = [newKey(), newKey()];
  const first = await idsOf({ idempotencyKey: key }, () => Promise.reject(new Error('killed')));
  expect(await idsOf({ idempotencyKey: key }, succeed)).toBe(first);
  const ids = [first, await idsOf({ idempotencyKey: other }, succeed), await idsOf({}, succeed)];
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(isId('listing', id)).toBe(true);
});

test('a key that is 24 hours old is free for a different request, which creates another record', async () => {
  const key = newKey();
  const first = await attempt(key, succeed);
  now += 24 * 3600 * 1000 - 1;
  const other = { input: { title: 'b' } };
  expect(await attempt(key, succeed, other)).toMatchObject({ outcome: { code: 'idempotency_key_reused' } });
  now += 1;
  const next = await attempt(key, async () => ({ payment: 'of today' }), other);
  expect(next).toMatchObject({ outcome: { payment: 'of today' }, ran: { isRepeated: false } });
  expect(next.ran?.newId('payment')).not.toBe(first.ran?.newId('payment'));
  expect(await attempt(key, succeed, other)).toMatchObject({ outcome: { payment: 'of today' }, ran: null });
});

test('of 20 concurrent equal requests with a key that is 24 hours old one runs', async () => {
  const key = newKey();
  await attempt(key, refuse('internal_error'));
  now += 24 * 3600 * 1000;
  const attempts = await Promise.all(Array.from({ length: 20 }, () => attempt(key, succeed)));
  expect(attempts.filter(({ ran }) => ran)).toMatchObject([{ ran: { isRepeated: false } }]);
});

/** A request in progress, or one whose process has ended. Only `renew` renews its lease. */
async function begin(key: string, run: Run = succeed) {
  let renew = (): void => undefined;
  const { setInterval } = globalThis;
  globalThis.setInterval = ((callback: () => void) => {
    renew = callback;
    return setTimeout(() => undefined, 0);
  }) as typeof setInterval;
  const [begun, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const running = attempt(key, async (one) => {
    begun.resolve();
    await ending.promise;
    return run(one);
  });
  await begun.promise;
  globalThis.setInterval = setInterval;
  return { finish: ending.resolve, renew: () => renew(), running };
}

test('a repetition of a request in progress is refused with Retry-After while its lease is renewed', async () => {
  const key = newKey();
  const { running, renew, finish } = await begin(key);
  expect(await attempt(key, succeed)).toMatchObject({
    outcome: { ...busy.outcome, details: { retryAfter: 1 } },
    ran: null,
  });
  const leaseUntil = { $gt: new Date(now + 15_000) };
  now += 14_000;
  renew();
  while ((await scoped(ExecutionModel, market.installation.id).count({ leaseUntil })) === 0) await pause(20);
  now += 14_000;
  expect(await attempt(key, succeed)).toMatchObject(busy);
  finish();
  expect(await running).toMatchObject(done);
  expect(await attempt(key, succeed)).toEqual(replayed);
});

test('a request whose process ended can be repeated after 15 seconds', async () => {
  const key = newKey();
  await begin(key);
  now += 14_000;
  expect(await attempt(key, succeed)).toMatchObject(busy);
  now += 1001;
  expect(await attempt(key, succeed)).toMatchObject({ ...done, ran: { isRepeated: true } });
});

const stalled: [string, Run][] = [
  ['succeeds', async () => ({ payment: 'of the stalled run' })],
  ['is refused with 409', refuse('invalid_transition')],
  ['is refused with 404', refuse('not_found')],
  ['fails', refuse('internal_error')],
];

test.each(stalled)(
  'a stalled run that %s returns the outcome of the run that continued it',
  async (_, run) => {
    const key = newKey();
    const { running, renew, finish } = await begin(key, run);
    now += 15_001;
    const next = await attempt(key, succeed);
    expect(next).toMatchObject({ ...done, ran: { isRepeated: true } });
    renew();
    finish();
    const late = await running;
    expect(late).toMatchObject({ outcome: paid, isReplayed: true });
    expect(late.ran?.newId('payment')).toBe(next.ran?.newId('payment'));
    expect(await attempt(key, succeed)).toEqual(replayed);
  },
);

test.each(stalled)(
  'a stalled run that %s does not end the key of the run that continues it',
  async (_, run) => {
    const key = newKey();
    const first = await begin(key, run);
    now += 15_001;
    const second = await begin(key);
    first.finish();
    expect(await first.running).toMatchObject({ outcome: busy.outcome });
    expect(await attempt(key, succeed)).toMatchObject(busy);
    second.finish();
    expect(await second.running).toMatchObject(done);
    expect(await attempt(key, succeed)).toEqual(replayed);
  },
);

test.each(stalled)(
  'a stalled run that %s does not overwrite the outcome of its key a day later',
  async (_, run) => {
    const key = newKey();
    const { running, finish } = await begin(key, run);
    now += 24 * 3600 * 1000;
    await attempt(key, succeed);
    finish();
    expect(await running).toMatchObject({ isReplayed: false });
    expect(await attempt(key, succeed)).toEqual(replayed);
  },
);

test('a key stays reserved for its request if a run fails and its repetition is refused', async () => {
  const key = newKey();
  const first = await attempt(key, refuse('internal_error'));
  await attempt(key, refuse('not_found'));
  const other = await attempt(key, succeed, { input: { title: 'b' } });
  expect(other).toMatchObject({ outcome: { code: 'idempotency_key_reused' }, ran: null });
  const again = await attempt(key, succeed);
  expect(again).toMatchObject({ ...done, ran: { isRepeated: true } });
  expect(again.ran?.newId('payment')).toBe(first.ran?.newId('payment'));
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
])('a refusal with %s (%i) frees the idempotency key', async (code, status) => {
  const key = newKey();
  expect(await attempt(key, refuse(code))).toMatchObject({ outcome: { code, status } });
  const again = await attempt(key, succeed, { input: { title: 'another' } });
  expect(again).toMatchObject({ ...done, ran: { isRepeated: false } });
});

const details = { allowedFrom: { state: 'canceled', allowed: [] } };
const declined: Run = async () => {
  throw asFinal(new AppError('provider_error', 'no'));
};
test.each<[string, Run, object]>([
  ['conflict', refuse('invalid_transition', details), { code: 'invalid_transition', status: 409, details }],
  ["provider's decline", declined, { code: 'provider_error', status: 502 }],
])('a %s is replayed', async (_, run, outcome) => {
  const key = newKey();
  await attempt(key, run);
  const kept = { outcome: { ...outcome, message: 'no' }, ran: null, isReplayed: true };
  expect(await attempt(key, succeed)).toMatchObject(kept);
});

test.each<[string, Run]>([
  ['an error of the provider', refuse('provider_error')],
  ['a conflict with Retry-After', refuse('concurrent_update', { retryAfter: 1 })],
  ['an internal error', refuse('internal_error')],
  ['an unexpected error', () => Promise.reject(new Error('boom'))],
])('a request can be repeated immediately after %s, with the ids of the first run', async (_, fail) => {
  const key = newKey();
  const first = await attempt(key, fail);
  const again = await attempt(key, succeed);
  expect(again).toMatchObject({ ...done, ran: { isRepeated: true } });
  expect(again.ran?.newId('payment')).toBe(first.ran?.newId('payment'));
  expect(await attempt(key, succeed)).toEqual(replayed);
});

test('a replayed outcome is read with the read concern majority', async () => {
  const key = newKey();
  await attempt(key, succeed);
  const concerns: unknown[] = [];
  const listen = ({ command }: mongoose.mongo.CommandStartedEvent): void => {
    if (command.find === ExecutionModel.collection.name) concerns.push(command.readConcern?.level);
  };
  const client = mongoose.connection.getClient().on('commandStarted', listen);
  expect(await attempt(key, succeed)).toEqual(replayed);
  client.off('commandStarted', listen);
  expect(concerns).toEqual(['majority']);
});
