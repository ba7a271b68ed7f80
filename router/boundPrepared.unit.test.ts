import { ConcurrencyLimit } from '../subgraphs/platform/concurrency/ConcurrencyLimit.ts';
import { composeFederation } from '../test/support/execution/federationFixture.ts';
import { boundPrepared } from './boundPrepared.ts';
import { deadlineTransport } from './deadlineTransport.ts';
import { createEngine } from './execution/createEngine.ts';
import type { Prepared } from './execution/Engine.ts';
import { createLocalTransport } from './transport/localTransport.ts';

const never = () => new Promise(() => undefined);
const begun: string[] = [];
const federation = composeFederation({
  slow: {
    typeDefs: `
      type Query { thing: Thing }
      type Mutation { first: String made: Thing }
      type Thing @key(fields: "id") { id: ID! }
    `,
    resolvers: {
      Query: { thing: () => ({ id: '1' }) },
      Mutation: { first: never, made: () => ({ id: '1' }) },
    },
  },
  other: {
    typeDefs: `
      type Query { quick: String later: String }
      type Mutation { second: String }
      type Thing @key(fields: "id") { id: ID! late: String }
    `,
    resolvers: {
      Query: { quick: () => 'now', later: async () => 'later' },
      Mutation: { second: () => void begun.push('second') },
      Thing: { late: never },
    },
  },
});
const engine = createEngine({
  supergraphSdl: federation.supergraphSdl,
  transports: Object.fromEntries(
    Object.entries(federation.schemas).map(([name, schema]) => [
      name,
      deadlineTransport(createLocalTransport(schema), name),
    ]),
  ),
});
afterAll(() => engine.close());

const roomy = () => new ConcurrencyLimit({ maxRunning: 10, maxQueued: 0, maxQueueMs: 1000 });

async function prepare(text: string, limit = roomy(), timeoutMs = 100): Promise<Prepared> {
  const prepared = await engine.prepareKnown(text);
  if ('errors' in prepared) throw prepared.errors[0];
  return boundPrepared(prepared, { limit, timeoutMs });
}

test('a field that is missing at the deadline of its request is null with an error, and the others are answered', async () => {
  const { data, errors } = await (await prepare('{ quick thing { id late } }')).execute({}, {});
  expect(data).toEqual({ quick: 'now', thing: { id: '1', late: null } });
  expect(errors?.map(({ extensions }) => extensions)).toEqual([
    { code: 'UPSTREAM_TIMEOUT', serviceName: 'other' },
  ]);
});

test('no mutation field starts after the deadline, and only one in progress has an unknown outcome', async () => {
  const { data, errors } = await (await prepare('mutation { first second }')).execute({}, {});
  expect(data).toEqual({ first: null, second: null });
  expect(errors?.map(({ path, extensions }) => [path, extensions.code, extensions.outcome])).toEqual([
    [['first'], 'UPSTREAM_TIMEOUT', 'unknown'],
    [['second'], 'UPSTREAM_TIMEOUT', undefined],
  ]);
  expect(begun).toEqual([]);
});

test('a mutation returns its data with an unknown outcome if the rest of its answer misses the deadline', async () => {
  const { data, errors } = await (await prepare('mutation { made { id late } }')).execute({}, {});
  expect(data).toEqual({ made: { id: '1', late: null } });
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'UPSTREAM_TIMEOUT', outcome: 'unknown' });
});

test('an execution beyond the limit is queued, and one beyond the queue is refused as OVERLOADED', async () => {
  const limit = new ConcurrencyLimit({ maxRunning: 1, maxQueued: 1, maxQueueMs: 5000 });
  const [later, quick] = [await prepare('{ later }', limit), await prepare('{ quick }', limit)];
  const running = later.execute({}, {});
  const queued = quick.execute({}, {});
  const refused = await quick.execute({}, {});
  expect(refused.errors?.[0]?.extensions).toEqual({ code: 'OVERLOADED' });
  expect(await running).toEqual({ data: { later: 'later' } });
  expect(await queued).toEqual({ data: { quick: 'now' } });
  expect(limit.isFull).toBe(false);
});

test('a queued execution does not start if its client has disconnected', async () => {
  const limit = new ConcurrencyLimit({ maxRunning: 1, maxQueued: 1, maxQueueMs: 5000 });
  begun.length = 0;
  const [later, second] = [await prepare('{ later }', limit), await prepare('mutation { second }', limit)];
  const running = later.execute({}, {});
  const left = new AbortController();
  const queued = second.execute({}, { signal: left.signal });
  left.abort();
  await Promise.all([running, queued]);
  expect(begun).toEqual([]);
});

test('the deadline of an execution starts when it leaves the queue', async () => {
  const limit = new ConcurrencyLimit({ maxRunning: 1, maxQueued: 1, maxQueueMs: 5000 });
  const [slow, later] = [
    await prepare('{ thing { late } }', limit, 150),
    await prepare('{ later }', limit, 150),
  ];
  const running = slow.execute({}, {});
  const queued = later.execute({}, {});
  await running;
  expect(await queued).toEqual({ data: { later: 'later' } });
});
