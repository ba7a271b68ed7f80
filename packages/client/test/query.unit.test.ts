import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '../src/client.ts';

const asked: string[] = [];
const client = createClient({
  baseUrl: 'http://service.test',
  fetch: async (request) => {
    asked.push(new URL(request.url).search);
    return Response.json({});
  },
});
const lastQuery = () => asked.at(-1);

test('a list in a query is separated by commas, as the contract states', async () => {
  const query = { facets: ['make', 'bodyType'], q: 'a & b' };
  await client.rest.GET('/api/v1/catalog/facets', { params: { query } });
  expect(lastQuery()).toBe('?facets=make,bodyType&q=a%20%26%20b');
});

test('the ids of a batch of translations are repeated, as the contract states', async () => {
  const query = { objectType: 'listing' as const, objectId: ['lst_1', 'lst_2'] };
  await client.rest.GET('/api/rest/translation/v1/translations', { params: { query } });
  expect(lastQuery()).toBe('?objectType=listing&objectId=lst_1&objectId=lst_2');
});

test('a member without a value is left out of a query', async () => {
  await client.rest.GET('/api/v1/catalog/listings', { params: { query: { limit: 3 } } });
  expect(lastQuery()).toBe('?limit=3');
});

test('the contract repeats no other list in a query', () => {
  const file = path.join(import.meta.dirname, '../../../schema/openapi.json');
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<
      string,
      Record<string, { parameters?: { name: string; explode?: boolean; schema?: { type?: unknown } }[] }>
    >;
  };
  const repeated = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ parameters = [] }) => parameters)
    .filter(({ explode, schema }) => explode === true && schema?.type === 'array');
  expect(repeated.map(({ name }) => name)).toEqual(['objectId']);
});
