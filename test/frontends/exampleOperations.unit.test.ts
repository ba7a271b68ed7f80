import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema, type DocumentNode, validate } from 'graphql';
import * as operations from '../../examples/storefront-apollo/src/operations.ts';

const file = path.join(import.meta.dirname, '../../schema/api.graphql');
const schema = buildSchema(readFileSync(file, 'utf8'));
const documents = Object.entries(operations) as [string, DocumentNode][];

test('the Apollo example has operations', () => {
  expect(documents.length).toBeGreaterThan(10);
});

test.each(documents)('the operation %s of the Apollo example fits the schema', (_name, document) => {
  expect(validate(schema, document).map(({ message }) => message)).toEqual([]);
});
