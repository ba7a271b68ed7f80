import { buildSchema } from 'graphql';
import { toChange } from '../Change.ts';
import { findCause } from '../report/findCause.ts';
import { expandManifests } from './expandManifests.ts';
import { findInvalid } from './findInvalid.ts';
import { joinFragments } from './joinFragments.ts';

const schema = buildSchema('type Query { item: Item } type Item { id: ID! name: String }');
const findings = (files: Readonly<Record<string, string>>) =>
  findInvalid(joinFragments(Object.entries(files).map(([file, text]) => ({ file, text }))), schema);

test('documents may spread fragments of other files', () => {
  expect(
    findings({
      'a.graphql': '{ item { ...name } }',
      'b.graphql': 'query b { item { ...all } }',
      'name.graphql': 'fragment name on Item { name }',
      'all.graphql': 'fragment all on Item { id ...name }',
    }),
  ).toEqual([]);
});

test('an error in a fragment is reported once, at its line, with the documents that spread it', () => {
  const found = findings({
    'a.graphql': '{ item { ...price } }',
    'b.graphql': 'query b {\n  item { ...price cost }\n}',
    'price.graphql': 'fragment price on Item {\n  id\n  price\n}',
  });
  expect(found).toEqual([
    {
      ...toChange(
        'document-invalid',
        'price.graphql',
        'Cannot query field "price" on type "Item". Used by a.graphql, b.graphql.',
      ),
      line: 3,
    },
    { ...toChange('document-invalid', 'b.graphql', 'Cannot query field "cost" on type "Item".'), line: 2 },
  ]);
});

test('a syntax error is reported at its line', () => {
  expect(findings({ 'a.graphql': 'query a {\n  item {' })).toMatchObject([
    { id: 'document-invalid:a.graphql', line: 2, message: expect.stringContaining('Syntax Error') },
  ]);
});

test('a fragment that no file defines makes its document invalid', () => {
  expect(findings({ 'a.graphql': '{ item { ...gone } }' })).toMatchObject([
    { message: 'Unknown fragment "gone".' },
  ]);
});

const operations = [{ id: 'one', body: '{ item { id } }' }];
test.each([
  ['of GraphQL Code Generator and Relay', { one: '{ item { id } }' }],
  ['of Apollo', { format: 'apollo-persisted-query-manifest', version: 1, operations }],
])('a manifest %s is read as documents with ids', (_, manifest) => {
  const { operations: read, findings: refused } = expandManifests([
    { file: 'manifest.json', text: JSON.stringify(manifest) },
  ]);
  expect(read).toEqual([{ file: 'manifest.json', id: 'one', text: '{ item { id } }' }]);
  expect(refused).toEqual([]);
});

test('an invalid document of a manifest is reported with its id', () => {
  const { operations: read } = expandManifests([
    { file: 'manifest.json', text: JSON.stringify({ one: '{ item { id } }', two: '{\n  nothing }' }) },
  ]);
  expect(findInvalid(joinFragments(read), schema)).toMatchObject([
    { id: 'document-invalid:manifest.json two', line: 1 },
  ]);
});

test.each([
  ['manifest.json', '{', 'The manifest is not JSON.'],
  ['manifest.json', '[]', 'The manifest of operations must be an object.'],
  ['manifest.json', '{"a": 1}', 'The manifest has an operation without an id or a document.'],
  ['manifest.json', '{"format": "b", "version": 1}', 'The manifest format "b" is not supported.'],
  ['notes.txt', 'query', expect.stringContaining('neither a document')],
])('an unreadable file of operations is a finding: %s with %s', (file, text, message) => {
  const { operations: read, findings: refused } = expandManifests([{ file, text }]);
  expect(read).toEqual([]);
  expect(refused).toMatchObject([{ id: `document-invalid:${file}`, severity: 'breaking', message }]);
});

test.each([
  ['{ item { price } }', 'field-removed:Item.price'],
  ['{ item(a: 1) { id } }', 'argument-removed:Query.item(a:)'],
  ['{ item { ... on Gone { id } } }', 'type-removed:Gone'],
])('the cause of an invalid document is the change of the schema: %s', (text, id) => {
  const [change = toChange('type-added', 'A', 'A was added.')] = findings({ 'a.graphql': text });
  expect(findCause(change, new Set([id]))).toBe(id);
  expect(findCause(change, new Set())).toBeNull();
});
