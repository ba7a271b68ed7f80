import type { Components, JsonSchema } from './JsonSchema.ts';
import { nameComponents, shareSchema } from './shareComponents.ts';

const text: JsonSchema = { type: 'string' };
const full: JsonSchema = { type: 'object', properties: { id: text, title: text } };
const brief: JsonSchema = { type: 'object', properties: { id: text } };

function operation(operationId: string, schema: JsonSchema, codes: string[] = []): Record<string, any> {
  return {
    operationId,
    responses: {
      200: { description: 'Done.', content: { 'application/json': { schema } } },
      404: { description: codes.join(), 'x-codes': codes },
    },
  };
}

const schemaIn = (paths: Record<string, any>, path: string) =>
  paths[path].get.responses[200].content['application/json'].schema;

test('equal selections of two routes share one schema with the name of its type', () => {
  const components: Components = {};
  const { paths, schemas } = nameComponents(
    {
      '/a': { get: operation('a', shareSchema(full, 'Listing', components)) },
      '/b': { get: operation('b', shareSchema({ ...full }, 'Listing', components)) },
    },
    components,
  );
  expect(schemas).toEqual({ Listing: { ...full, title: 'Listing' } });
  expect(schemaIn(paths, '/a')).toEqual({ $ref: '#/components/schemas/Listing' });
  expect(schemaIn(paths, '/b')).toEqual({ $ref: '#/components/schemas/Listing' });
});

test('the most used schema of a type has its name, and another one has the name of its first operation appended', () => {
  const components: Components = {};
  const owner = shareSchema(brief, 'Owner', components);
  const nested: JsonSchema = { type: 'object', properties: { owner } };
  const { paths, schemas } = nameComponents(
    {
      '/b': { get: operation('getB', shareSchema(full, 'Listing', components)) },
      '/a': { get: operation('getA', shareSchema(brief, 'Listing', components)) },
      '/c': { get: operation('getC', shareSchema(nested, 'Car', components)) },
      '/d': { get: operation('getD', shareSchema(full, 'Listing', components)) },
    },
    components,
  );
  expect(Object.keys(schemas).sort()).toEqual(['Car', 'Listing', 'ListingInGetA', 'Owner']);
  expect(schemaIn(paths, '/a')).toEqual({ $ref: '#/components/schemas/ListingInGetA' });
  // Generators name classes by the title.
  expect(schemas.ListingInGetA?.title).toBe('ListingInGetA');
  expect(schemas.Car?.properties?.owner).toEqual({ $ref: '#/components/schemas/Owner' });
});

test('a schema with the name of an input receives a number', () => {
  const components: Components = { Listing: text };
  const schema = shareSchema(full, 'Listing', components);
  const { schemas } = nameComponents({ '/a': { get: operation('a', schema) } }, components);
  expect(schemas).toEqual({ Listing: text, Listing2: { ...full, title: 'Listing2' } });
});

test('problems of several operations are components, and those of one operation are inline', () => {
  const { paths, responses } = nameComponents(
    {
      '/a': { get: operation('a', text, ['not_found']) },
      '/b': { get: operation('b', text, ['not_found']) },
      '/c': { get: operation('c', text, ['not_found', 'gone']) },
      '/d': { get: operation('d', text, ['gone']) },
      '/e': { get: operation('e', text, ['gone']) },
    },
    {},
  );
  const answer = (path: string) => (paths[path] as any).get.responses[404];
  expect(Object.keys(responses)).toEqual(['Problem404', 'Problem404InD']);
  expect(answer('/b')).toEqual({ $ref: '#/components/responses/Problem404' });
  expect(answer('/e')).toEqual({ $ref: '#/components/responses/Problem404InD' });
  expect(answer('/c')['x-codes']).toEqual(['not_found', 'gone']);
});
