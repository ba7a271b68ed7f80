import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'graphql';
import { tempFolder } from '../../test/support/tempFolder.ts';
import { findRouteFiles, readRouteText } from './readRouteText.ts';

const directory = tempFolder();

beforeAll(() => {
  mkdirSync(path.join(directory, 'listing'));
  const write = (file: string, text: string) => writeFileSync(path.join(directory, 'listing', file), text);
  write('listing.graphql', 'query listing { listing { ...own } }');
  write('own.fragment.graphql', 'fragment own on Listing { id ...money }');
  write('money.fragment.graphql', 'fragment money on Listing { price { ...own } }');
  write('inner.graphql', 'query inner { listing { ...own } } fragment own on Listing { title }');
  write('unknown.graphql', 'query unknown { listing { ...nobody } }');
});

const definitions = (file: string) =>
  parse(readRouteText(directory, file)).definitions.map((node) =>
    'name' in node ? node.name?.value : undefined,
  );

test('findRouteFiles leaves out fragment files', () => {
  expect(findRouteFiles(directory)).toEqual([
    'listing/inner.graphql',
    'listing/listing.graphql',
    'listing/unknown.graphql',
  ]);
});

test('a route document includes the shared fragments that it spreads, also indirectly, each once', () => {
  expect(definitions('listing/listing.graphql')).toEqual(['listing', 'own', 'money']);
});

test('a fragment of a route document replaces the shared fragment with its name', () => {
  expect(definitions('listing/inner.graphql')).toEqual(['inner', 'own']);
});

test('a route document with an undefined fragment is read without an error', () => {
  expect(definitions('listing/unknown.graphql')).toEqual(['unknown']);
});
