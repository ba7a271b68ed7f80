import { product } from '../support/product.ts';

const closed = product({ introspection: false });

const requests: [string, string, object][] = [
  ['a field', '{ mee { id } }', {}],
  ['a nested field', '{ me { emaill } }', {}],
  ['a type', 'query ($i: UpdateMeInputt) { me { id } }', {}],
  ['a type of a fragment', '{ me { ... on Mee { id } } }', {}],
  ['an argument', '{ listing(listingIdd: "x") { id } }', {}],
  ['a directive', '{ me { id @skipp(if: true) } }', {}],
  [
    'an input member in a variable',
    'mutation ($i: UpdateMeInput!) { updateMe(input: $i) { me { id } } }',
    {
      i: { displayNam: 'x' },
    },
  ],
  ['an input member', 'mutation { updateMe(input: { displayNam: "x" }) { me { id } } }', {}],
  ['an enum value', 'mutation { createListing(input: { condition: USEDD }) { listing { id } } }', {}],
  [
    'an enum value in a variable',
    'mutation ($c: ListingCondition) { createListing(input: { condition: $c }) { listing { id } } }',
    {
      c: 'USEDD',
    },
  ],
];

test.each(requests)(
  'the misspelled name of %s is refused without a suggestion if introspection is off',
  async (_, query, variables) => {
    const { token } = await closed.market.seller();
    const body = { query, variables };
    const answer = await closed.send({ method: 'POST', path: '/graphql', token, body });
    expect(answer.json.errors[0].extensions.code).toMatch(/^(GRAPHQL_VALIDATION_FAILED|BAD_USER_INPUT)$/);
    expect(answer.text).not.toMatch(/did you mean/i);
  },
);

test('a misspelled member of a REST body is refused without a suggestion if introspection is off', async () => {
  const { token } = await closed.market.seller();
  const answer = await closed.send({
    method: 'PATCH',
    path: '/api/v1/me',
    token,
    body: { displayNam: 'x', locale: 'no tag' },
  });
  expect(answer.status).toBe(422);
  expect(answer.text).not.toMatch(/did you mean|displayName/i);
});
