import { product } from '../../test/support/product.ts';

const { market, stack } = product();

const ids = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e\u2066',
  '$where',
  '{"$gt":""}',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '(a+)+$',
  'x'.repeat(100_000),
];
const query = `query ($references: [_Any!]!) {
  _entities(representations: $references) { ... on Listing { title } ... on User { displayName } } }`;

test.each(['Listing', 'User', 'Dealer'])(
  'a reference to a %s with a hostile id causes no internal error',
  async (type) => {
    const as = await market.user();
    for (const id of ids) {
      const references = [{ __typename: type, id }];
      const { errors = [] } = await stack.execute(query, { references }, { as, ...market });
      for (const { extensions } of errors)
        expect((extensions.problem as { status: number }).status).toBeLessThan(500);
    }
  },
);
