import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tempFolder } from '../../test/support/tempFolder.ts';
import { assembleSdl } from './assembleSubgraphSdl.ts';
import { generateTypes } from './generateTypes.ts';
import { readSupergraphConfig } from './readSupergraphConfig.ts';

const root = tempFolder();

const text = `
type Query { listing(id: ID!): Listing @guard__public }
type Mutation { updateListing(input: UpdateListingInput!): Listing @guard__authenticated }
type Listing @key(fields: "id") { id: ID! title: String at: DateTime! dealer: Dealer }
type Dealer @key(fields: "id") { id: ID! }
input UpdateListingInput { title: String at: DateTime! }
enum ListingState { DRAFT }
`;
const sdl = assembleSdl([{ file: 'schema.graphql', text }]);

function write(file: string, content: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), content);
}

test('generated resolvers use the records that the subgraph exports for its types', async () => {
  write('subgraphs/shop/listing/model.ts', 'export interface ListingRecord { _id: string }');
  const types = await generateTypes(root, 'shop', sdl);
  expect(types).toContain("from './listing/model.ts'");
  expect(types).toMatch(/ResolversParentTypes = \{[\s\S]*?\n {2}Listing: ListingRecord;/);
  expect(types).toMatch(
    /ResolversParentTypes = \{[\s\S]*?\n {2}Dealer: Dealer \| FederationReferenceTypes\['Dealer'\];/,
  );
});

test('generated types use Date for times, omit guards, and allow null for optional input members', async () => {
  const types = await generateTypes(root, 'shop', sdl);
  expect(types).toContain('DateTime: { input: Date; output: Date | string; }');
  expect(types).not.toMatch(/RateClass|Breadth|DirectiveArgs/);
  expect(types).toContain('export type InputMaybe<T> = T | null | undefined;');
  expect(types).toMatch(/readonly title\?: InputMaybe<Scalars\['String'\]\['input'\]>/);
});

test('generateTypes refuses two parent types of one type and names both', async () => {
  write('subgraphs/twice/a/model.ts', 'export interface ListingRecord { a: 1 }');
  write('subgraphs/twice/b/model.ts', 'export type ListingParent = { b: 1 };');
  await expect(generateTypes(root, 'twice', sdl)).rejects.toThrow(
    /ListingRecord and b\/model.ts#ListingParent/,
  );
});

test('readSupergraphConfig returns subgraphs with their addresses and names a missing member', () => {
  write(
    'supergraph.yaml',
    'subgraphs:\n  a:\n    routing_url: http://x\n    schema:\n      file: schema/a.graphql\n',
  );
  expect(readSupergraphConfig(root)).toEqual([{ name: 'a', url: 'http://x', file: 'schema/a.graphql' }]);
  write('supergraph.yaml', 'subgraphs:\n  a:\n    schema:\n      file: schema/a.graphql\n');
  expect(() => readSupergraphConfig(root)).toThrow('supergraph.yaml: a has no "routing_url"');
});
