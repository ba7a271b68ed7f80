import { fileURLToPath } from 'node:url';
import { isInputObjectType, validate } from 'graphql';
import { readInputLimits } from '../../schema/guards/readInputLimits.ts';
import { readRoutes } from '../../schema/route/readRoutes.ts';
import buildSeo from './server.ts';

const { schema } = buildSeo();
const routes = readRoutes(fileURLToPath(new URL('../../rest-facade/seo', import.meta.url)));

test.each(routes)('$file is a route of the editor API', ({ path }) => {
  expect(path).toMatch(/^\{rest_root\}\/seo-tools\/v1\//);
});

test.each(routes)('$file selects only what the schema has', ({ document }) => {
  expect(validate(schema, document)).toEqual([]);
});

// A request to a model is of all checks.
test.each([
  ['SeoRecommendationsInput', []],
  ['SeoSuggestionsInput', []],
  ['SeoAiSuggestionsInput', ['checks']],
])('%s has every member of an analysis with its limits, except %j', (name, left) => {
  const fieldsOf = (typeName: string) => {
    const type = schema.getType(typeName);
    if (!isInputObjectType(type)) throw new Error(`${typeName} is not an input.`);
    return Object.values(type.getFields()).map((field) => [
      field.name,
      String(field.type),
      readInputLimits(field),
    ]);
  };
  const wanted = fieldsOf('SeoAnalysisInput').filter(([member]) => !left.some((one) => one === member));
  expect(fieldsOf(name)).toEqual(expect.arrayContaining(wanted));
});
