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
      delete schemas.ListingState;
      const text = JSON.stringify(document).replaceAll('schemas/ListingState', 'schemas/State');
      Object.assign(document, JSON.parse(text));
    },
  );
  expect(ids).toEqual([]);
});

test('forms of an answer belong together by their titles, whatever their schemas are called', () => {
  const forms = (prefix: string, type: string) => (document: Part) => {
    const variants = ['Car', 'Boat'].map((title) => {
      at(document, 'components', 'schemas')[`${prefix}${title}`] = {
        type: 'object',
        title,
        properties: { [title]: { type } },
      };
      return { $ref: `#/components/schemas/${prefix}${title}` };
    });
    at(document, ...listing, 'responses', '200', 'content', 'application/json').schema = { anyOf: variants };
  };
  expect(diff(forms('', 'string'), forms('My', 'string'))).toEqual([]);
  expect(diff(forms('', 'string'), forms('My', 'integer'))).toHaveLength(2);
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
