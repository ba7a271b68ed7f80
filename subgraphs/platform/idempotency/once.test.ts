import { connectTestDatabase } from '../../../test/support/connectTestDatabase.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import type { AppError } from '../errors/AppError.ts';
import { isId } from '../ids/newId.ts';
import { syncIndexes } from '../mongo/syncIndexes.ts';
import { ExecutionModel } from './model.ts';
import { type Attempt, once } from './once.ts';

let database: Awaited<ReturnType<typeof connectTestDatabase>>;
const now = Date.now();

beforeAll(async () => {
  database = await connectTestDatabase();
  await syncIndexes([ExecutionModel]);
});
afterAll(() => database.close());

function as(
  id: string,
  installationId = 'ins_a',
): RequestContext & { answer: { idempotentReplayed?: boolean } } {
  return {
    installationId,
    viewer: { id },
    platform: { now: () => now },
    answer: {},
  } as unknown as RequestContext;
}

const counter = () => {
  let runs = 0;
  return { run: async () => ({ listing: { _id: 'lst', run: ++runs } }), runs: () => runs };
};

test('the same key and input run once and answer the same again', async () => {
  const { run, runs } = counter();
  const first = await once(
    as('usr_1'),
    'createListing',
    { idempotencyKey: 'k1', title: 'a', price: { amount: 1, currency: 'EUR' } } as never,
    run,
  );
  const context = as('usr_1');
  const again = await once(
    context,
    'createListing',
    { price: { currency: 'EUR', amount: 1 }, title: 'a', idempotencyKey: 'k1' } as never,
    run,
  );
  expect(again).toEqual(first);
  expect(runs()).toBe(1);
  expect(context.answer.idempotentReplayed).toBe(true);
});

test('the same key with another input is refused', async () => {
  const { run } = counter();
  await once(as('usr_1'), 'createListing', { idempotencyKey: 'k2', title: 'a' } as never, run);
  await expect(
    once(as('usr_1'), 'createListing', { idempotencyKey: 'k2', title: 'b' } as never, run),
  ).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  });
});

test.each([
  ['another caller', as('usr_2'), 'createListing'],
  ['another installation', as('usr_1', 'ins_b'), 'createListing'],
  ['another operation', as('usr_1'), 'publishListing'],
])('a key belongs to its caller, installation and operation: %s runs anew', async (_, context, operation) => {
  const { run, runs } = counter();
  await once(as('usr_1'), 'createListing', { idempotencyKey: 'k3' }, async () => ({}));
  await once(context, operation, { idempotencyKey: 'k3' }, run);
  expect(runs()).toBe(1);
});

test('of twenty equal requests at once one runs; the others are told to wait or get its answer', async () => {
  const { run, runs } = counter();
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () =>
      once(as('usr_1'), 'createListing', { idempotencyKey: 'k4' }, run).then(
        () => 'answered',
        (error: AppError) => error.code,
      ),
    ),
  );
  expect(runs()).toBe(1);
  expect(new Set([...outcomes, 'answered', 'idempotency_in_progress'])).toEqual(
    new Set(['answered', 'idempotency_in_progress']),
  );
});

test.each([[''], ['a b'], ['ä'], ['x'.repeat(256)]])('the key %j is refused', async (idempotencyKey) => {
  await expect(
    once(as('usr_1'), 'createListing', { idempotencyKey }, async () => ({})),
  ).rejects.toMatchObject({
    code: 'idempotency_key_invalid',
  });
});

test('every run under one key creates with the same id; without a key, with a new one', async () => {
  const ids: string[] = [];
  const dieAfterWriting = async ({ newId }: Attempt) => {
    ids.push(newId('listing'));
    if (ids.length === 1) throw new Error('killed');
    return {};
  };
  await expect(once(as('usr_1'), 'createListing', { idempotencyKey: 'k7' }, dieAfterWriting)).rejects.toThrow(
    'killed',
  );
  await once(as('usr_1'), 'createListing', { idempotencyKey: 'k7' }, dieAfterWriting);
  await once(as('usr_1'), 'createListing', { idempotencyKey: 'k8' }, dieAfterWriting);
  await once(as('usr_1'), 'createListing', {}, dieAfterWriting);
  expect(ids[1]).toBe(ids[0]);
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(isId('listing', id)).toBe(true);
});
