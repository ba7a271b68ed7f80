import { at, diff, type Part } from './documentFixture.ts';

const listing = ['paths', '/api/v1/listings/{listingId}', 'get'];

test('a named schema that many routes answer with is one change', () => {
  const ids = diff(
    () => undefined,
    (document) => {
      delete at(document, 'components', 'schemas', 'Problem', 'properties').requestId;
    },
  );
  expect(ids).toEqual(['breaking response-property-removed:schemas/Problem requestId']);
});

test('a named schema with another name, or written out, is no change', () => {
  const ids = diff(
    () => undefined,
    (document) => {
      const schemas = at(document, 'components', 'schemas');
      schemas.State = schemas.ListingState;
      const text = JSON.stringify(document.paths).replaceAll('schemas/ListingState', 'schemas/State');
      document.paths = JSON.parse(text) as unknown;
      delete schemas.ListingState;
    },
  );
  expect(ids).toEqual([]);
});

test('schemas that contain themselves are compared once', () => {
  const recursive = (type: string) => (document: Part) => {
    at(document, 'components', 'schemas').Tree = {
      type: 'object',
      properties: {
        value: { type },
        children: {
          type: 'array',
          items: { anyOf: [{ $ref: '#/components/schemas/Tree' }, { type: 'null' }] },
        },
      },
    };
    at(document, ...listing, 'responses', '200', 'content', 'application/json').schema = {
      $ref: '#/components/schemas/Tree',
    };
  };
  expect(diff(recursive('string'), recursive('integer'))).toEqual([
    'breaking response-type-changed:schemas/Tree value',
  ]);
});
