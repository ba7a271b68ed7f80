import { randomUUID } from 'node:crypto';
import { newId } from '../../subgraphs/platform/ids/newId.ts';
import { countCommands } from '../../subgraphs/platform/mongo/countCommands.ts';
import { openWorld, type World } from '../authorization/openWorld.ts';
import { type ValidCall, validCall } from '../authorization/validCalls.ts';
import { sellThrough } from '../support/sellThrough.ts';
import { askGraphql, askRest, type Input, inputOf, type Mutation, readMutations } from './mutations.ts';
import { without } from './without.ts';

/**
 * Its valid call asks no provider and honours no key; `seoAiSuggestions.test.ts` has a provider and holds the promise.
 */
const elsewhere: ReadonlySet<string> = new Set(['seoAiSuggestions']);

const all = readMutations();
const idempotent = all.filter(({ name, traits }) => traits.idempotent && !elsewhere.has(name));

/** What makes another request of a valid call, where the next valid call is the same. */
const others: Readonly<Record<string, Input>> = {
  createDealerApiClient: { name: 'Another machine' },
  createLedgerAdjustment: { reason: 'Another rounding' },
  createListing: { title: 'Another car' },
  createMedia: { filename: 'another.jpg' },
  createPayment: { amount: { amount: 1, currency: 'EUR' } },
  enrollMfaFactor: { label: 'Another phone' },
  sendMessage: { text: 'Another word.' },
  startListingImport: { content: 'stockNumber,title\n' },
  startSeoAudit: { locale: 'de' },
};

/** What a replay writes besides: the upload of a feed that is dropped again, and that an operator has called. */
const writtenByReplay: Readonly<Record<string, readonly string[]>> = {
  startListingImport: ['delete feed_uploads', 'insert feed_uploads'],
  createLedgerAdjustment: ['insert audit_events'],
};

let world: World;
beforeAll(async () => {
  world = await openWorld();
  // The sweep opens more disputes than the garage has earned, and nothing could be refunded.
  await sellThrough(world.app.stack, world.shop.installation, {
    payerId: newId('user'),
    dealerId: world.garage.id,
    heldDays: 0,
    changes: { amountCaptured: 10_000_000 },
  });
});
afterAll(() => world.app.close());

const isWrite = /^(?:insert|update|delete|findAndModify|bulkWrite) (?!idempotency_keys)/;

/** What `work` writes besides the keys themselves. */
async function writesOf<T>(work: () => Promise<T>): Promise<{ result: T; written: string[] }> {
  const { result, commands } = await countCommands(work);
  return { result, written: commands.filter((command) => isWrite.test(command)).sort() };
}

/** Another request by the caller of a valid call; null where no other one can be stated. */
function toOther({ name, members }: Mutation, { call }: ValidCall, next: ValidCall): ValidCall | null {
  if (members.size === 1) return null;
  const { token } = call;
  const input = { ...inputOf(next), ...others[name] };
  const body = { ...next.call.body, ...others[name] };
  return {
    ...next,
    call: { ...next.call, variables: { input }, body, ...(token !== undefined && { token }) },
  };
}

function withoutKey(input: Input): Input {
  const { idempotencyKey: _, ...rest } = input;
  return rest;
}

test.each(idempotent)('$name happens once for one key', async (mutation) => {
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

  for (const binding of mutation.routes) {
    const posted = await prepare();
    const headers = { 'idempotency-key': randomUUID() };
    const post = (call: ValidCall) => askRest(world, binding, call, headers);
    const answer = await post(posted);
    expect(answer).toMatchObject({ outcome: 'answered' });
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
    const replayed = await post(posted);
    expect(replayed).toMatchObject({ outcome: 'answered', value: answer.value });
    expect(replayed.headers['idempotent-replayed']).toBe('true');
    const another = toOther(mutation, posted, valid);
    if (another) expect(await post(another)).toMatchObject({ outcome: '422 idempotency_key_reused' });
  }
});

test.each(idempotent.filter(({ traits }) => traits.idempotent?.required))(
  '$name demands a key',
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

test('every mutation that takes an idempotency key says so in the schema', () => {
  const taking = all.filter(({ members }) => members.has('idempotencyKey')).map(({ name }) => name);
  expect(taking).toEqual(all.filter(({ traits }) => traits.idempotent).map(({ name }) => name));
});
