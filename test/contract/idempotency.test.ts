import { randomUUID } from 'node:crypto';
import { type ValidCall, validCall } from '../authorization/matrix/validCalls.ts';
import { openWorld, type World } from '../authorization/world/openWorld.ts';
import { askGraphql, askRest, inputOf, readMutations } from './mutations.ts';
import { enrich, isIdempotent, toOther, withoutKey, writesOf } from './otherRequest.ts';
import { without } from './without.ts';

const all = readMutations();
const idempotent = all.filter(isIdempotent);

/** Writes of a replay: a feed upload that is stored and deleted again, and the audit of an operator's call. */
const writtenByReplay: Readonly<Record<string, readonly string[]>> = {
  startListingImport: ['delete feed_uploads', 'insert feed_uploads'],
  createLedgerAdjustment: ['insert audit_events'],
  cancelPayout: ['insert audit_events'],
  settlePayout: ['insert audit_events'],
};

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await enrich(world);
});
afterAll(() => world.app.close());

test.each(idempotent)('$name is executed once for each idempotency key', async (mutation) => {
  const prepare = () => validCall(world, mutation.operation);
  const ask = (call: ValidCall, idempotencyKey: string) =>
    askGraphql(world, call, { ...inputOf(call), idempotencyKey });
  const ofReplay = writtenByReplay[mutation.name] ?? [];

  const [valid, key] = [await prepare(), randomUUID()];
  const first = await writesOf(() => ask(valid, key));
  expect(first.result).toMatchObject({ outcome: 'answered' });
  const again = await writesOf(() => ask(valid, key));
  expect(again.result).toMatchObject({ outcome: 'answered', value: first.result.value });
  expect(again.written).toEqual(ofReplay);

  const next = await prepare();
  const other = toOther(mutation, valid, next);
  if (other) {
    expect(withoutKey(inputOf(other))).not.toEqual(withoutKey(inputOf(valid)));
    expect(await ask(other, key)).toMatchObject({ outcome: '422 idempotency_key_reused' });
  }

  const shared = randomUUID();
  const both = await writesOf(() => Promise.all([ask(next, shared), ask(next, shared)]));
  const settled = await ask(next, shared);
  expect(settled).toMatchObject({ outcome: 'answered' });
  for (const { outcome, value } of both.result)
    if (outcome !== '409 idempotency_in_progress')
      expect({ outcome, value }).toEqual({ outcome: 'answered', value: settled.value });
  expect(without(both.written, [...first.written, ...ofReplay])).toEqual([]);

  // A route takes the key from a header, and replays the answer of the GraphQL operation.
  for (const binding of mutation.routes) {
    const replayed = await askRest(world, binding, valid, { 'idempotency-key': key });
    expect(replayed).toMatchObject({ outcome: 'answered' });
    expect(replayed.headers['idempotent-replayed']).toBe('true');
  }
});

test.each(idempotent.filter(({ traits }) => traits.idempotent?.required))(
  '$name returns 400 without an idempotency key',
  async ({ operation, routes }) => {
    const valid = await validCall(world, operation);
    const input = withoutKey(inputOf(valid));
    const demanded = { outcome: '400 idempotency_key_required' };
    expect(await askGraphql(world, valid, input)).toMatchObject(demanded);
    const call = { ...valid.call, variables: { input } };
    for (const binding of routes)
      expect(await askRest(world, binding, { ...valid, call }, {})).toMatchObject(demanded);
  },
);

test('every mutation that takes an idempotency key has @guard__idempotent in the schema', () => {
  const taking = all.filter(({ members }) => members.has('idempotencyKey')).map(({ name }) => name);
  expect(taking).toEqual(all.filter(({ traits }) => traits.idempotent).map(({ name }) => name));
});
