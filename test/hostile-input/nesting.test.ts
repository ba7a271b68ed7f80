import { product } from '../support/product.ts';

const world = product();

const json = [['content-type', 'application/json']] as const;
const asResponse = [['accept', 'application/graphql-response+json']] as const;

/** Documents of at most 1,990 tokens, and the column of the first bracket beyond the limit. */
const documents: [string, string, number][] = [
  ['lists', `{ listings(q: ${'['.repeat(1980)}`, 77],
  ['objects', `{ listings(q: ${'{a:'.repeat(600)}`, 201],
  ['types of a variable', `query ($a: ${'['.repeat(1980)}`, 75],
  ['selections', '{a'.repeat(900), 129],
  ['inline fragments', `{me${'{...'.repeat(900)}`, 256],
  ['arguments of a directive', `{a @b(c: ${'['.repeat(1980)}`, 72],
];

test.each(documents)(
  'a document of deeply nested %s is refused with its position',
  async (_, query, column) => {
    const answer = await world.send({
      method: 'POST',
      path: '/graphql',
      body: { query },
      headers: asResponse,
    });
    expect(answer.status).toBe(400);
    expect(answer.json.errors).toEqual([
      {
        message: `Line 1, column ${column}: the document is nested deeper than 64 brackets. Pass nested values as variables, and select fewer levels of fields.`,
        locations: [{ line: 1, column }],
        extensions: { code: 'GRAPHQL_PARSE_FAILED' },
      },
    ]);
  },
);

test('a deeply nested document is refused by GET too', async () => {
  const query = `{a(b:${'['.repeat(500)}`;
  const byGet = await world.send({
    path: `/graphql?query=${encodeURIComponent(query)}`,
    headers: asResponse,
  });
  expect([byGet.status, byGet.json.errors[0].extensions.code]).toEqual([400, 'GRAPHQL_PARSE_FAILED']);
});

test.each([
  ['variables', `{"query":"{ __typename }","variables":{"a":${'['.repeat(300_000)}`, 66],
  ['extensions', `{"query":"{ __typename }","extensions":${'{"a":'.repeat(100_000)}`, 350],
])('a GraphQL body with deeply nested %s is refused before it is parsed', async (_, body) => {
  const answer = await world.send({ method: 'POST', path: '/graphql', body, headers: json });
  expect(answer.status).toBe(400);
  expect(answer.json.errors[0]).toMatchObject({
    message: expect.stringMatching(
      /^The body is nested deeper than 64 levels of lists and objects, from character \d+ on/,
    ),
    extensions: { problem: { code: 'invalid_json', status: 400 } },
  });
});

test('a variable nested deeper than any input is refused by GET and by POST', async () => {
  const query =
    'query ($o: [ObjectRefInput!]!) { resolveTranslations(objects: $o, language: "fr") { reason } }';
  const variables = { o: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) };
  const search = new URLSearchParams({ query, variables: JSON.stringify(variables) });
  const answers = [
    await world.send({ path: `/graphql?${search}` }),
    await world.send({ method: 'POST', path: '/graphql', body: { query, variables } }),
  ];
  for (const { json } of answers)
    expect(json.errors).toEqual([
      {
        message: 'The variable "$o" is nested too deep; at most 32 levels are allowed.',
        extensions: { code: 'BAD_USER_INPUT' },
      },
    ]);
});

test('a REST body nested too deeply is refused with its position', async () => {
  const { token } = await world.market.seller();
  const body = `{"title":${'['.repeat(200_000)}`;
  const answer = await world.send({ method: 'POST', path: '/api/v1/listings', token, body, headers: json });
  expect(answer.json).toMatchObject({
    status: 400,
    code: 'invalid_json',
    detail:
      'The body is nested deeper than 20 levels of lists and objects, from character 29 on. Send a flatter body.',
  });
});
