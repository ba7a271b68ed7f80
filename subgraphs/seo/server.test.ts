import { fileURLToPath } from 'node:url';
import { validate } from 'graphql';
import { readRoutes } from '../../schema/route/readRoutes.ts';
import { buildSeo } from './server.ts';

const { schema } = buildSeo();
const routes = readRoutes(fileURLToPath(new URL('../../rest-facade/seo', import.meta.url)));

test('the paths of the editor API are bound to fields of this subgraph', () => {
  expect(routes.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST {rest_root}/seo-tools/v1/analysis',
    'GET {rest_root}/seo-tools/v1/checks',
    'POST {rest_root}/seo-tools/v1/refresh',
  ]);
});

test.each(routes)('$file asks for nothing that the schema does not have', ({ document }) => {
  expect(validate(schema, document)).toEqual([]);
});
