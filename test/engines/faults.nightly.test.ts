import { documentOf } from '../authorization/matrix/runMatrix.ts';
import { validCall } from '../authorization/matrix/validCalls.ts';
import { openWorld, type World } from '../authorization/world/openWorld.ts';
import { inputOf, type Mutation, readMutations, tokenOf } from '../contract/mutations.ts';
import type { FaultyProxy } from '../support/servers/openFaultyProxy.ts';
import type { HttpAnswer } from '../support/stack/openHttpClient.ts';
import { describeEngines } from './engines.ts';
import { type EngineWorld, openBehind } from './openBehind.ts';

const mutations = readMutations();
const join = '{ listings(first: 1) { nodes { id seo { keyphrase } } } }';

function mutationOf(name: string): Mutation {
  const found = mutations.find((mutation) => mutation.name === name);
  if (!found) throw new Error(`There is no mutation ${name}.`);
  return found;
}

let world: World;
beforeAll(async () => {
  world = await openWorld({ apart: true });
}, 120_000);
afterAll(() => world.app.close());

describeEngines((engine) => {
  let behind: EngineWorld;
  beforeAll(async () => {
    behind = await openBehind(world, engine);
  }, 120_000);
  afterAll(() => behind.close());
  afterEach(() => {
    for (const proxy of behind.proxies.values()) proxy.fault = 'none';
  });

  const ask = (query: string): Promise<HttpAnswer> =>
    behind.world.app.send({
      method: 'POST',
      path: '/graphql',
      token: world.tokenOf('owner'),
      body: { query },
    });
  const proxyOf = (name: string): FaultyProxy => {
    const proxy = behind.proxies.get(name);
    if (!proxy) throw new Error(`There is no subgraph ${name}.`);
    return proxy;
  };
  const arrivals = (): number => [...behind.proxies.values()].reduce((sum, { arrived }) => sum + arrived, 0);

  test('returns the other fields if a subgraph is unreachable, and all fields when it is reachable again', async () => {
    const seo = proxyOf('seo');
    const intact = await ask(join);
    seo.fault = 'broken';
    const { status, json } = await ask(join);
    expect(status).toBe(200);
    expect(json.data.listings.nodes[0]).toEqual({ id: expect.any(String), seo: null });
    expect(json.errors.length).toBeGreaterThan(0);
    seo.fault = 'none';
    expect((await ask(join)).json).toEqual(intact.json);
  });

  test.each(['nonsense', 'html', 'cut', 'fail'] as const)(
    'returns an error and no data for a subgraph with the fault "%s"',
    async (fault) => {
      proxyOf('identity').fault = fault;
      const { json } = await ask('{ me { id } }');
      expect(json.data?.me ?? null).toBeNull();
      expect(json.errors.length).toBeGreaterThan(0);
    },
  );

  test('returns the result of a mutation even if a field of another subgraph is missing', async () => {
    const valid = await validCall(world, mutationOf('updateListing').operation);
    const variables = { input: inputOf(valid) };
    proxyOf('seo').fault = 'broken';
    const { status, json } = await behind.world.app.send({
      method: 'POST',
      path: '/graphql',
      token: tokenOf(world, valid),
      body: {
        query: `mutation ($input: UpdateListingInput!) {
          updateListing(input: $input) { listing { id seo { keyphrase } } } }`,
        variables,
      },
    });
    const { listingId } = variables.input;
    expect([status, json.data.updateListing]).toEqual([200, { listing: { id: listingId, seo: null } }]);
    expect(json.errors.map(({ path }: { path: unknown }) => path)).not.toContainEqual(['updateListing']);
  });

  test.each(mutations)(
    'sends $name once if its response is lost, and does not report that it was refused',
    async (mutation: Mutation) => {
      const valid = await validCall(world, mutation.operation);
      const variables = { input: inputOf(valid) };
      for (const proxy of behind.proxies.values()) proxy.fault = 'lost';
      const before = arrivals();
      const { json } = await behind.world.app.send({
        method: 'POST',
        path: '/graphql',
        token: tokenOf(world, valid),
        body: { query: documentOf(mutation.operation, variables), variables },
      });
      expect(arrivals() - before).toBe(1);
      expect(json.errors.length).toBeGreaterThan(0);
      const statuses = json.errors.map(({ extensions }: any) => extensions?.problem?.status ?? 500);
      expect(Math.min(...statuses)).toBeGreaterThanOrEqual(500);
      const outcomes = json.errors.map(({ extensions }: any) => extensions?.problem?.outcome);
      expect(outcomes).toContain('unknown');
    },
  );
});
