import { words } from '../authorization/matrix/rules.ts';
import { type Outcome, runMatrix } from '../authorization/matrix/runMatrix.ts';
import { operations } from '../authorization/matrix/validCalls.ts';
import { openWorld, type World } from '../authorization/world/openWorld.ts';
import { type Hive, openHive } from '../support/servers/openHive.ts';

/**
 * Some operations of each subgraph and of each kind of rule. `ENGINE_MATRIX=. npm run test:nightly -- test/other-engine`
 * runs all operations of the matrix, which takes four minutes.
 */
const wanted = new RegExp(
  process.env.ENGINE_MATRIX ??
    '^Query\\.(me|listing|dealerMembers|catalogListings|seoRecord|relation|auditEvents)$|^Mutation\\.(updateListing|createTranslation|setUserRoles)$',
);

let world: World;
let hive: Hive;
let outcomes: Outcome[];
let touched: string[];

beforeAll(async () => {
  world = await openWorld({ apart: true });
  hive = await openHive(world.app);
  const { send } = world.app;
  const behind: World = {
    ...world,
    app: {
      ...world.app,
      send: (request) =>
        request.method === 'POST' && request.path === '/graphql' ? hive.send(request) : send(request),
    },
  };
  const rows = operations
    .filter(({ field }) => wanted.test(field) && !field.startsWith('Subscription.'))
    .map((operation) => ({ ...operation, routes: {} }));
  ({ outcomes, touched } = await runMatrix(behind, rows));
}, 900_000);
afterAll(async () => {
  await hive.close();
  await world.app.close();
});

test('Hive Gateway answers and refuses every caller as the matrix expects of the router', () => {
  const different = outcomes.filter(({ got, expected }) => words(got) !== words(expected));
  expect(
    different.map(({ name, got, expected }) => `${name}: ${words(got)} instead of ${words(expected)}`),
  ).toEqual([]);
  expect(outcomes.length).toBeGreaterThan(200);
  expect(new Set(outcomes.map(({ got }) => words(got))).size).toBeGreaterThan(6);
});

test('a call that is refused behind Hive Gateway changes no record', () => {
  expect(touched).toEqual([]);
});

test('Hive Gateway returns the same data as the router for a join over three subgraphs', async () => {
  const token = world.tokenOf('owner');
  const query = `query ($id: ID!) { listing(listingId: $id) {
    id title price { amount currency } translations { languageCode live fields { title } } seo { keyphrase } } }`;
  const body = { query, variables: { id: world.items.garage.id } };
  const [ours, theirs] = await Promise.all([
    world.app.send({ method: 'POST', path: '/graphql', token, body }),
    hive.send({ path: '/graphql', token, body }),
  ]);
  expect(ours.json.data.listing).toMatchObject({ id: body.variables.id });
  expect(theirs.json.data).toEqual(ours.json.data);
});

test('every subgraph refuses a request without a signed context', async () => {
  for (const url of world.app.subgraphUrls.values()) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${world.tokenOf('administrator')}`,
      },
      body: JSON.stringify({ query: '{ __typename }' }),
    });
    expect(answer.status).toBe(401);
  }
});
