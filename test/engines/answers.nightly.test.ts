import { words } from '../authorization/matrix/rules.ts';
import { type Outcome, runMatrix } from '../authorization/matrix/runMatrix.ts';
import { operations } from '../authorization/parts.ts';
import { openWorld, type World } from '../authorization/world/openWorld.ts';
import type { Who } from '../authorization/world/people.ts';
import { describeEngines } from './engines.ts';
import { type EngineAnswer, type EngineWorld, openBehind } from './openBehind.ts';

/**
 * `ENGINE_MATRIX=. TEST_TIER=nightly npx jest test/engines/answers` runs all callers on every field; it takes four minutes
 * for each engine. Without it, two callers try each case.
 */
const { ENGINE_MATRIX } = process.env;
const wanted = new RegExp(ENGINE_MATRIX ?? '.');

const reads: Readonly<Record<string, { query: string; who?: Who; isList?: true }>> = {
  languages: { query: '{ languages { items { code bcp47 } total defaultCode } }' },
  me: { query: '{ me { id email displayName roles } }', who: 'owner' },
  list: {
    query: '{ listings(first: 5) { nodes { id title } pageInfo { hasNextPage } } }',
    who: 'owner',
  },
  join: {
    query: `{ listings(first: 5) { nodes {
      id title price { amount currency } translations { languageCode live fields { title } } seo { keyphrase } } } }`,
    who: 'owner',
  },
};

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

  test.each(Object.entries(reads))('answers %s like the product', async (_, { query, who }) => {
    const request = { method: 'POST', path: '/graphql', token: who && world.tokenOf(who), body: { query } };
    const ours = await world.app.send(request);
    const theirs = await behind.world.app.send(request);
    expect(ours.json.errors).toBeUndefined();
    expect(theirs).toMatchObject({ status: 200, json: { data: ours.json.data } });
    expect(theirs.json).not.toHaveProperty('errors');
  });

  describe('for every root field', () => {
    let outcomes: Outcome[];
    let touched: string[];
    let answers: readonly EngineAnswer[];
    beforeAll(async () => {
      const rows = operations
        .filter(({ field }) => wanted.test(field) && !field.startsWith('Subscription.'))
        .map((operation) => ({ ...operation, routes: {} }));
      const begun = behind.answers.length;
      const breadth = ENGINE_MATRIX === undefined ? 'two callers' : 'all callers';
      ({ outcomes, touched } = await runMatrix(behind.world, rows, breadth));
      answers = behind.answers.slice(begun);
    }, 1_200_000);

    test('answers and refuses every caller as the product does', () => {
      const different = outcomes.filter(({ got, expected }) => words(got) !== words(expected));
      expect(
        different.map(
          ({ name, got, expected, fault }) =>
            `${name}: ${words(got)} instead of ${words(expected)}; ${fault}`,
        ),
      ).toEqual([]);
      expect(new Set(outcomes.map(({ got }) => words(got))).size).toBeGreaterThan(6);
    });

    test('writes nothing for a caller who is refused', () => {
      expect(touched).toEqual([]);
    });

    test('returns exactly one error for a refusal, with its code and status', () => {
      const wrong = answers.flatMap(({ body, answer: { json, text } }) => {
        if (!json?.errors) return [];
        const [error, ...others] = json.errors;
        const { code, problem } = error.extensions ?? {};
        const isOurs = others.length === 0 && typeof code === 'string' && problem?.status >= 400;
        return isOurs ? [] : [`${body.query}: ${text}`];
      });
      expect(wrong).toEqual([]);
    });
  });

  test.each<[string, Who | undefined, string]>([
    ['no token', undefined, '{ me { id } }'],
    ['no permission', 'buyer', '{ auditEvents(first: 1) { nodes { id } } }'],
    ['an id that does not exist', 'owner', '{ listing(listingId: "lst_00000000000000000000000000") { id } }'],
    ['an invalid cursor', 'owner', '{ listings(first: 1, after: "nonsense") { nodes { id } } }'],
  ])('refuses a caller with %s with the same error as the product', async (_, who, query) => {
    const request = { method: 'POST', path: '/graphql', token: who && world.tokenOf(who), body: { query } };
    const [ours] = (await world.app.send(request)).json.errors;
    const { errors } = (await behind.world.app.send(request)).json;
    expect(errors).toHaveLength(1);
    const [theirs] = errors;
    expect(theirs.extensions.problem).toEqual({
      ...ours.extensions.problem,
      requestId: expect.any(String),
      instance: expect.stringMatching(/^urn:uuid:/),
    });
    expect([theirs.message, theirs.path, theirs.extensions.code]).toEqual([
      ours.message,
      ours.path,
      ours.extensions.code,
    ]);
  });

  test.each([
    ['a page', '{ listings(first: 1000) { nodes { id } } }'],
    ['a page of the catalogue', '{ catalogListings(first: 1000) { nodes { id } } }'],
    ['a list', `{ catalogListings(dealerId: ${JSON.stringify(Array(251).fill('dlr_x'))}) { nodes { id } } }`],
  ])('returns the refusal of the subgraph for %s that is too large', async (_, query) => {
    const { json } = await behind.world.app.send({
      method: 'POST',
      path: '/graphql',
      token: world.tokenOf('owner'),
      body: { query },
    });
    expect(json.errors).toHaveLength(1);
    expect(json.errors[0].extensions.problem).toMatchObject({ code: 'validation_failed', status: 422 });
  });

  test('refuses an invalid variable with one error and without data', async () => {
    const query = 'query ($scope: LanguageScope) { languages(scope: $scope) { total } }';
    const { json } = await behind.world.app.send({
      method: 'POST',
      path: '/graphql',
      body: { query, variables: { scope: 'NOTHING' } },
    });
    expect(json.errors).toHaveLength(1);
    expect(json.data?.languages ?? null).toBeNull();
  });
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
