import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'graphql';
import { defaultConcurrency } from '../../subgraphs/platform/concurrency/ConcurrencyLimit.ts';
import { product } from '../../test/support/product.ts';
import { runProgram } from '../../test/support/stack/runProgram.ts';
import { restRoot } from '../../test/support/stack/serveStack.ts';
import { openRouters, releasedPlans, releasedSupergraph } from '../federation/openRouters.ts';

const { market, send, stack } = product({ nativePlanner: false });

test('bin/plans.ts writes the committed plans', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'trigate-plans-'));
  const plans = path.join(folder, 'plans.json');
  const written = await runProgram('bin/plans.ts', ['--out', plans], {});
  expect([written.code, written.stdout]).toEqual([0, expect.stringMatching(/^\d{3} plans in /)]);
  expect(await readFile(plans, 'utf8')).toBe(await readFile(releasedPlans, 'utf8'));
  await rm(folder, { recursive: true });
});

test('the committed plans answer REST requests without a planner', async () => {
  expect(await send({ path: `${restRoot}/translation/v1/languages` })).toMatchObject({ status: 200 });
  const { token } = await market.user();
  expect(await send({ path: '/api/v1/me', token })).toMatchObject({ status: 200 });
  const written = { method: 'POST', path: '/api/v1/listings', token, body: { title: 'Volvo 145 of 1972' } };
  expect(await send(written)).toMatchObject({ status: 201 });
});

test('returns 503 with Retry-After and PLANNER_UNAVAILABLE for a GraphQL operation without a plan', async () => {
  const ask = (query: string) => send({ method: 'POST', path: '/graphql', body: { query } });
  const refused = await ask('{ languages { total } }');
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
  expect(refused.json.errors[0].extensions).toMatchObject({
    code: 'PLANNER_UNAVAILABLE',
    problem: { code: 'unavailable', status: 503 },
  });
  expect((await ask('{ __typename }')).json).toEqual({ data: { __typename: 'Query' } });
});

test('a route without a plan fails at start and names the command that writes plans', async () => {
  const { platform, subgraphs } = stack;
  const routers = openRouters(
    {
      jit: true,
      introspection: true,
      trustedProxies: 0,
      concurrency: defaultConcurrency,
      nativePlanner: false,
    },
    { local: new Map(subgraphs.map((subgraph) => [subgraph.name, subgraph])), platform },
  );
  const router = routers.open(`${await readFile(releasedSupergraph, 'utf8')}# changed\n`);
  const preparing = router.prepare(parse('query languages { languages { total } }'), 'languages');
  await expect(preparing).rejects.toThrow('Write the plans of this supergraph with "npm run plans"');
});
