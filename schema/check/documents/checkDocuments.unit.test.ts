import { shopBase, shopSource } from '../shopFixture.ts';
import { checkDocuments, findRemovedOperations } from './checkDocuments.ts';

const { supergraph, api } = shopBase();
const composed = { supergraph: supergraph ?? '', api: api ?? '' };
const file = 'schema/operations/a.graphql';

test('a route whose operation has no plan is named by its document', () => {
  const broken = composed.supergraph.replace(
    '@join__type(graph: REVIEWS, key: "id")',
    '@join__type(graph: REVIEWS)',
  );
  const changes = checkDocuments({ ...composed, supergraph: broken }, shopSource().routes, []);
  expect(changes.map(({ id }) => id)).toEqual([
    'document-unplannable:rest-facade/identity/listing/listing.graphql',
  ]);
});

test.each([
  ['query {', /Syntax Error/],
  ['{ nothing }', /nothing/],
  ['query a { categories { id } } query a { categories { id } }', /only one operation named "a"/],
  ['query a { categories { id } } fragment f on Category { id }', /never used/],
])('a registered operation that is not valid is a finding: %s', (text, message) => {
  const [change, ...more] = checkDocuments(composed, [], [{ file, text }]);
  expect(change).toMatchObject({ id: `document-invalid:${file}`, message: expect.stringMatching(message) });
  expect(more).toEqual([]);
});

test('an operation that moved to another file is not removed', () => {
  const base = [{ file, text: 'query a { categories { id } } query b { categories { id } }' }];
  const next = [{ file: 'schema/operations/b.graphql', text: 'query a { categories { name } }' }];
  expect(findRemovedOperations(base, next).map(({ id }) => id)).toEqual([`operation-removed:${file} b`]);
});

test('documents of routes are not registered operations', () => {
  const base = [{ file: 'rest-facade/identity/a.graphql', text: 'query a { categories { id } }' }];
  expect(findRemovedOperations(base, [])).toEqual([]);
});
