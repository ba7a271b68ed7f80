import { commandsOf } from '../support/commandsOf.ts';
import { openTestApp, type TestApp } from '../support/openTestApp.ts';
import { type SeededDealer, seed } from '../support/seed.ts';

let app: TestApp;
let dealer: SeededDealer;
const ids: string[] = [];

beforeAll(async () => {
  app = await openTestApp();
  const shop = await seed(app.stack).in(app.stack.demo);
  dealer = await shop.dealer({ limits: { maxActiveListings: 200 } });
  for (let index = 0; index < 100; index++) ids.push((await dealer.listing({ published: true })).id);
}, 120_000);
afterAll(() => app.close());

async function query(text: string, variables: object): Promise<any> {
  const { token } = dealer.owner;
  const { status, json } = await app.send({
    method: 'POST',
    path: '/graphql',
    token,
    body: { query: text, variables },
  });
  expect({ status, errors: json.errors }).toEqual({ status: 200, errors: undefined });
  return json.data;
}

test('GET /me costs at most three commands when nothing is cached, and one when the caller is known', async () => {
  const me = () => app.send({ method: 'GET', path: '/api/v1/me', token: dealer.owner.token });
  app.stack.platform.forgetPrincipal({ userId: dealer.owner.id });
  expect(await commandsOf(me)).toHaveLength(3);
  expect(await commandsOf(me)).toEqual(['aggregate users']);
});

test('a join over the three subgraphs costs the same commands for 1, 10 and 100 listings', async () => {
  const join = `query join($first: Int) { listings(first: $first) { nodes {
    title seo { keyphrase latestAnalysis { scores { seo { value } } } } translations { languageCode fields { title } }
  } } }`;
  const costs: string[][] = [];
  // The languages of an installation are read once in five seconds, whoever asks.
  await query(join, { first: 1 });
  for (const first of [1, 10, 100]) {
    costs.push(
      await commandsOf(async () => {
        const { listings } = await query(join, { first });
        expect(listings.nodes).toHaveLength(first);
      }),
    );
  }
  expect(costs[1]).toEqual(costs[0]);
  expect(costs[2]).toEqual(costs[0]);
  expect(costs[0]?.length).toBeLessThanOrEqual(6);
  // Whether the dealer is barred is known with the membership.
  expect(costs[0]).not.toContain('find owners');
});

test('the public catalogue costs a page, and what changed, for 1, 10 and 100 listings', async () => {
  for (const limit of [1, 10, 100]) {
    const commands = await commandsOf(() =>
      app.send({ method: 'GET', path: `/api/v1/catalog/listings?limit=${limit}` }),
    );
    expect(commands.sort()).toEqual([
      'find catalog_listings',
      'find catalog_listings',
      'find catalog_removals',
    ]);
  }
});
