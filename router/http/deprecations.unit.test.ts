import { composeFederation, engineOf } from '../../test/support/execution/federationFixture.ts';
import type { Prepared } from '../execution/Engine.ts';
import { wantsDeprecations, withDeprecations } from './deprecations.ts';

const engine = engineOf(
  composeFederation({
    shop: {
      typeDefs: `
        type Query {
          item: Item
          old: Item @deprecated(reason: "Use item instead. Deprecated on 2026-11-28, removed after 2027-05-31.")
        }
        type Item { id: ID! }`,
      resolvers: {},
    },
  }),
);
afterAll(() => engine.close());

test.each([
  ['{"deprecations": true}', true],
  ['{"deprecations": "true"}', false],
  ['{}', false],
  ['null', false],
])('a request asks for deprecations with the extension alone: %s', (extensions, isAsked) => {
  expect(wantsDeprecations(JSON.parse(extensions))).toBe(isAsked);
});

test('a response lists the deprecated members of its operation, beside other extensions', async () => {
  const prepared = (await engine.prepare('{ item { id } old { id } }')) as Prepared;
  const result = withDeprecations({ data: {}, extensions: { a: 1 } }, prepared, engine.apiSchema);
  expect(result).toEqual({
    data: {},
    extensions: {
      a: 1,
      deprecations: [
        {
          coordinate: 'Query.old',
          reason: 'Use item instead.',
          deprecatedOn: '2026-11-28',
          removedAfter: '2027-05-31',
        },
      ],
    },
  });
});
