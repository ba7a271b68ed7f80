import { fileURLToPath } from 'node:url';
import { isInputObjectType, validate } from 'graphql';
import { readRoutes } from '../../schema/route/readRoutes.ts';
import { buildSeo } from './server.ts';

const { schema } = buildSeo();
const routes = readRoutes(fileURLToPath(new URL('../../rest-facade/seo', import.meta.url)));

test.each(routes)('$file is a route of the editor API', ({ path }) => {
  expect(path).toMatch(/^\{rest_root\}\/seo-tools\/v1\//);
});

test.each(routes)('$file selects only what the schema has', ({ document }) => {
  expect(validate(schema, document)).toEqual([]);
});

test.each(['SeoRecommendationsInput', 'SeoSuggestionsInput'])(
  '%s has every member of an analysis',
  (name) => {
    const fieldsOf = (typeName: string) => {
      const type = schema.getType(typeName);
      if (!isInputObjectType(type)) throw new Error(`${typeName} is not an input.`);
      return Object.values(type.getFields()).map((field) => `${field.name}: ${String(field.type)}`);
    };
    expect(fieldsOf(name)).toEqual(expect.arrayContaining(fieldsOf('SeoAnalysisInput')));
  },
);
