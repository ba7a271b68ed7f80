import { composeFederation, engineOf } from '../../test/support/execution/federationFixture.ts';
import type { Prepared } from '../execution/Engine.ts';
import { wantsDeprecations, withDeprecations } from './deprecations.ts';

const days = 'Deprecated on 2026-11-28, removed after 2027-05-31.';
const engine = engineOf(
  composeFederation({
    shop: {
      typeDefs: `
        type Query {
          item: Item
          old: Item @deprecated(reason: "Use item instead. ${days}")
          items(locale: String @deprecated(reason: "Use filter. ${days}"), filter: Filter, sort: Sort): [Item]
        }
        type Item { id: ID!  name: String @deprecated(reason: "Use id. ${days}") }
        input Filter { text: String  word: String @deprecated(reason: "Use text. ${days}") }
        enum Sort { NEW  OLD @deprecated(reason: "Use NEW. ${days}") }`,
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

test.each([
  ['{ items(locale: "de", filter: { word: "a" }, sort: OLD) { ...f } } fragment f on Item { name }', 4],
  ['{ items(filter: { text: "a" }, sort: NEW) { id } }', 0],
])(
  'deprecated arguments, input members, enum values and fields of fragments are found: %s',
  async (text, count) => {
    const prepared = (await engine.prepare(text)) as Prepared;
    expect(withDeprecations({}, prepared, engine.apiSchema).extensions?.deprecations).toHaveLength(count);
  },
);
