import { product } from '../support/product.ts';

const world = product();

const ask = async (query: string, more: object = {}) => {
  const { token } = await world.market.seller();
  const { status, json } = await world.send({
    method: 'POST',
    path: '/graphql',
    token,
    body: { query, ...more },
  });
  return { status, json };
};

test.each([
  ['beyond 64 bits', '99999999999999999999'],
  ['one beyond 64 bits', '9223372036854775808'],
  ['of 300 digits', '9'.repeat(300)],
  ['below 64 bits', '-9223372036854775809'],
  ['of minus zero', '-0'],
])('an id as an integer literal %s finds no record', async (_, id) => {
  const notFound = {
    data: { listing: null },
    errors: [{ extensions: { problem: { code: 'not_found' } } }],
  };
  const asLiteral = await ask(`{ listing(listingId: ${id}) { id } }`);
  expect(asLiteral.json).toMatchObject(notFound);
  const asDefault = await ask(`query ($id: ID! = ${id}) { listing(listingId: $id) { id } }`);
  expect(asDefault.json).toMatchObject(notFound);
});

test('an integer above 64 bits in a JSON literal equals the same number in a variable', async () => {
  const dealer = await world.market.dealer();
  const hashOf = async (query: string, variables: object) => {
    const body = { query, variables };
    const { json } = await world.send({ method: 'POST', path: '/graphql', token: dealer.owner.token, body });
    return json.data.seoAnalyze.inputHash;
  };
  const input = 'content: "<p>A sound car.</p>", keyphrase: "car", locale: "en"';
  const literal = await hashOf(
    `{ seoAnalyze(input: { ${input}, schema: { price: 100000000000000000000 } }) { inputHash } }`,
    {},
  );
  const variable = await hashOf(
    `query ($s: JSON) { seoAnalyze(input: { ${input}, schema: $s }) { inputHash } }`,
    { s: { price: 1e20 } },
  );
  expect(literal).toEqual(variable);
});

const create = (members: string) =>
  `mutation { createListing(input: { title: "x", ${members} }) { listing { id } } }`;

test.each([
  ['an amount that is a string', create('price: { amount: "abc", currency: "EUR" }')],
  ['an amount with a fraction', create('price: { amount: 1.5, currency: "EUR" }')],
  ['an amount beyond exact integers', create('price: { amount: 99999999999999999999, currency: "EUR" }')],
  ['a language that is a number', create('language: 5')],
  ['a language that is not a valid tag', create('language: "no tag"')],
])('%s in a document is refused with BAD_USER_INPUT', async (_, query) => {
  const { json } = await ask(query);
  expect(json.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
});

test.each(['1e400', '-1e400', '9'.repeat(400)])(
  'a number beyond the range of a float (%#) is refused',
  async (number) => {
    const { json } = await ask(create(`attributes: { a: ${number} }`));
    expect(json.errors).toEqual([
      {
        message: 'A number must be at most 1.7976931348623157e308 in size.',
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      },
    ]);
  },
);

test('an empty operation name is the same as none', async () => {
  const one = await ask('query one { __typename }', { operationName: '' });
  expect(one.json).toEqual({ data: { __typename: 'Query' } });
  const two = await ask('query one { __typename } query two { __typename }', { operationName: '' });
  expect(two.json.errors[0].extensions).toEqual({ code: 'OPERATION_RESOLUTION_FAILURE' });
});
