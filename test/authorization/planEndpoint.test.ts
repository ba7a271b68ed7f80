import { collection } from './world/collection.ts';
import { openWorld, type World } from './world/openWorld.ts';
import { everybody, type Person, people, type Who } from './world/people.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
}, 600_000);
afterAll(() => world.app.close());

const ask = (token: string | undefined, body: unknown = { query: '{ me { id } }' }) =>
  world.app.send({ method: 'POST', path: '/graphql/plan', token, body: body as object });

/** Only operators see plans, whatever other permissions a caller has. */
function expected(who: Who): number {
  const { identity, home, isOperator }: Person = people[who];
  if (identity !== 'accepted') return 401;
  return isOperator && home === 'demo' ? 200 : 403;
}

test('only operators can read the plan of an operation', async () => {
  const got: [Who, number][] = [];
  for (const who of everybody) got.push([who, (await ask(world.tokenOf(who))).status]);
  expect(got).toEqual(everybody.map((who) => [who, expected(who)]));
  expect(got.filter(([, status]) => status === 200)).toHaveLength(1);
});

test('the plan names the fetches of each subgraph, and reading it is recorded in the audit', async () => {
  const { status, json } = await ask(world.tokenOf('operator'), {
    query:
      'query one { me { id } } query both($id: ID!) { listing(listingId: $id) { title seo { keyphrase } } }',
    operationName: 'both',
  });
  expect(status).toBe(200);
  expect(json).toMatchObject({ operationType: 'query', rootFields: ['listing'] });
  expect(json.planHash).toMatch(/^[0-9a-f]{16}$/);
  expect(json.plan).toMatch(/Fetch from identity[\s\S]*Fetch from seo/);
  const events = await collection('audit_events')
    .find({ action: 'explainPlan', result: { $ne: 'denied' } })
    .toArray();
  expect(events.length).toBeGreaterThan(0);
});

test('the plan endpoint returns the error code of an invalid request to an operator', async () => {
  const token = world.tokenOf('operator');
  const codeOf = async (answer: ReturnType<typeof ask>) => {
    const { status, json } = await answer;
    return [status, json.errors[0].extensions?.problem?.code ?? json.errors[0].extensions?.code];
  };
  expect(await codeOf(ask(token, { query: '{ nothing }' }))).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
  expect(await codeOf(ask(token, { query: 7 }))).toEqual([422, 'validation_failed']);
  expect(await codeOf(ask(token, []))).toEqual([422, 'validation_failed']);
  const send = (headers: [string, string][], body: string | Buffer, method = 'POST') =>
    world.app.send({ method, path: '/graphql/plan', token, headers, body });
  expect(await codeOf(send([['content-type', 'application/json']], '{'))).toEqual([400, 'invalid_json']);
  const deep = `{"query":${'['.repeat(9000)}`;
  expect(await codeOf(send([['content-type', 'application/json']], deep))).toEqual([400, 'invalid_json']);
  const notUtf8 = Buffer.from('{"query":"\xff"}', 'latin1');
  expect(await codeOf(send([['content-type', 'application/json']], notUtf8))).toEqual([400, 'invalid_json']);
  expect(await codeOf(ask(token, { query: `{a(b:${'['.repeat(900)}` }))).toEqual([
    400,
    'GRAPHQL_PARSE_FAILED',
  ]);
  expect(await codeOf(send([['content-type', 'text/plain']], 'x'))).toEqual([415, 'unsupported_media_type']);
  expect(await codeOf(send([['content-type', 'application/json']], '{}', 'PUT'))).toEqual([
    405,
    'method_not_allowed',
  ]);
});
