import { fileURLToPath } from 'node:url';
import { validate } from 'graphql';
import { readRoutes } from '../../schema/route/readRoutes.ts';
import { buildSeo } from './server.ts';

const { schema } = buildSeo();
const routes = readRoutes(fileURLToPath(new URL('../../rest-facade/seo', import.meta.url)));

test.each(routes)('$file stands in the namespace of the editor API', ({ path }) => {
  expect(path).toMatch(/^\{rest_root\}\/seo-tools\/v1\//);
});

test.each(routes)('$file asks for nothing that the schema does not have', ({ document }) => {
  expect(validate(schema, document)).toEqual([]);
});
