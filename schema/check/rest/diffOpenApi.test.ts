import { toChange } from '../Change.ts';
import { shopOpenApi } from '../shopFixture.ts';
import { diffOpenApi } from './diffOpenApi.ts';
import type { Json } from './Json.ts';

/** Part of a document that a test changes. */
type Part = Record<string, unknown>;

function at(document: Part, ...path: string[]): Part {
  return path.reduce<Part>((part, name) => part[name] as Part, document);
}

/** Ids with severities between the fixture's document, edited twice. */
function diff(before: (document: Part) => void, after: (document: Part) => void): string[] {
  const [base, next] = [shopOpenApi(), shopOpenApi()];
  before(base);
  after(next);
  return diffOpenApi(base as Json, next as Json).map(({ severity, id }) => `${severity} ${id}`);
}

/** Ids between two schemas of the value of a request and, the same, of an answer. */
function diffValue(polarity: 'request' | 'response', before: unknown, after: unknown): string[] {
  const put = (schema: unknown) => (document: Part) => {
    const operation = at(document, 'paths', '/api/v1/listings', 'post');
    const media = { 'application/json': { schema: { type: 'object', properties: { value: schema } } } };
    if (polarity === 'request') operation.requestBody = { required: true, content: media };
    else at(operation, 'responses', '201').content = media;
  };
  return diff(put(before), put(after));
}

const place = { request: 'POST /api/v1/listings body value', response: 'POST /api/v1/listings 201 value' };

/** Schema before, schema after, what it is in a request, what it is in an answer. */
test.each<[string, unknown, unknown, string, string]>([
  [
    'a type changes',
    { type: 'string' },
    { type: 'boolean' },
    'breaking type-changed',
    'breaking type-changed',
  ],
  [
    'an integer may have a fraction',
    { type: 'integer' },
    { type: 'number' },
    'safe type-widened',
    'breaking type-changed',
  ],
  [
    'a number must be whole',
    { type: 'number' },
    { type: 'integer' },
    'breaking type-changed',
    'safe type-narrowed',
  ],
  [
    'a further type is possible',
    { type: 'string' },
    { type: ['string', 'integer'] },
    'safe type-widened',
    'breaking type-changed',
  ],
  ['anything is possible', { type: 'string' }, {}, 'safe type-widened', 'breaking type-changed'],
  ['not everything is possible', {}, { type: 'string' }, 'breaking type-changed', 'safe type-narrowed'],
  [
    'null is possible',
    { type: 'string' },
    { type: ['string', 'null'] },
    'safe null-accepted',
    'breaking became-nullable',
  ],
  [
    'null is impossible',
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
    { type: 'string' },
    'breaking null-refused',
    'safe never-null',
  ],
  [
    'a format changes',
    { type: 'string', format: 'date' },
    { type: 'string', format: 'uri' },
    'breaking format-changed',
    'breaking format-changed',
  ],
  [
    'a format goes',
    { type: 'string', format: 'uri' },
    { type: 'string' },
    'safe format-removed',
    'breaking format-changed',
  ],
  [
    'a format comes',
    { type: 'string' },
    { type: 'string', format: 'uri' },
    'breaking format-changed',
    'safe format-added',
  ],
  [
    'a format is wider',
    { type: 'integer', format: 'int32' },
    { type: 'integer', format: 'int64' },
    'safe format-removed',
    'breaking format-changed',
  ],
  [
    'an enum loses a value',
    { type: 'string', enum: ['a', 'b'] },
    { type: 'string', enum: ['a'] },
    'breaking enum-narrowed "b"',
    'safe enum-narrowed "b"',
  ],
  [
    'an enum has a further value',
    { type: 'string', enum: ['a'] },
    { type: 'string', enum: ['a', 'b'] },
    'safe enum-widened "b"',
    'dangerous enum-widened "b"',
  ],
  [
    'values are listed',
    { type: 'string' },
    { type: 'string', const: 'a' },
    'breaking enum-narrowed',
    'safe enum-narrowed',
  ],
  [
    'values are not listed',
    { type: 'string', enum: ['a'] },
    { type: 'string' },
    'safe enum-widened',
    'dangerous enum-widened',
  ],
  [
    'a minimum rises',
    { type: 'integer', minimum: 1 },
    { type: 'integer', minimum: 2 },
    'breaking bound-tightened minimum',
    'safe bound-tightened minimum',
  ],
  [
    'a minimum goes',
    { type: 'integer', minimum: 1 },
    { type: 'integer' },
    'safe bound-relaxed minimum',
    'dangerous bound-relaxed minimum',
  ],
  [
    'a maximum falls',
    { type: 'integer', maximum: 9 },
    { type: 'integer', maximum: 8 },
    'breaking bound-tightened maximum',
    'safe bound-tightened maximum',
  ],
  [
    'a length is limited',
    { type: 'string' },
    { type: 'string', maxLength: 5 },
    'breaking bound-tightened maxLength',
    'safe bound-tightened maxLength',
  ],
  [
    'a list may be longer',
    { type: 'array', maxItems: 5 },
    { type: 'array', maxItems: 6 },
    'safe bound-relaxed maxItems',
    'dangerous bound-relaxed maxItems',
  ],
  [
    'items must differ',
    { type: 'array' },
    { type: 'array', uniqueItems: true },
    'breaking bound-tightened uniqueItems',
    'safe bound-tightened uniqueItems',
  ],
  [
    'a step is a part of the old one',
    { type: 'integer', multipleOf: 6 },
    { type: 'integer', multipleOf: 3 },
    'safe bound-relaxed multipleOf',
    'dangerous bound-relaxed multipleOf',
  ],
  [
    'a step is another one',
    { type: 'integer', multipleOf: 3 },
    { type: 'integer', multipleOf: 2 },
    'breaking bound-tightened multipleOf',
    'safe bound-tightened multipleOf',
  ],
  [
    'a pattern changes',
    { type: 'string', pattern: 'a' },
    { type: 'string', pattern: 'b' },
    'breaking pattern-changed',
    'dangerous pattern-changed',
  ],
  [
    'a pattern goes',
    { type: 'string', pattern: 'a' },
    { type: 'string' },
    'safe pattern-removed',
    'dangerous pattern-changed',
  ],
  [
    'a pattern comes',
    { type: 'string' },
    { type: 'string', pattern: 'a' },
    'breaking pattern-changed',
    'safe pattern-added',
  ],
  [
    'a keyword that nobody judges differs',
    { type: 'string' },
    { type: 'string', contentEncoding: 'base64' },
    'breaking schema-incomparable contentEncoding',
    'breaking schema-incomparable contentEncoding',
  ],
])('%s: judged by who writes the value', (_, before, after, request, response) => {
  for (const [polarity, expected] of Object.entries({ request, response }) as ['request', string][]) {
    const [severity = '', kind = '', ...detail] = expected.split(' ');
    const id = [`${severity} ${polarity}-${kind}:${place[polarity]}`, ...detail].join(' ');
    expect(diffValue(polarity, before, after)).toEqual([id]);
  }
});

const named = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});

test.each<[string, unknown, unknown, string[], string[]]>([
  [
    'a member goes',
    named('a', 'b'),
    named('a'),
    ['breaking request-property-removed b'],
    ['breaking response-property-removed b'],
  ],
  [
    'a member comes',
    named('a'),
    named('a', 'b'),
    ['safe request-property-added b'],
    ['safe response-property-added b'],
  ],
  [
    'a required member comes',
    named('a'),
    { ...named('a', 'b'), required: ['b'] },
    ['breaking request-required-property-added b'],
    ['safe response-property-added b'],
  ],
  [
    'a member is always there',
    named('a'),
    { ...named('a'), required: ['a'] },
    ['breaking request-property-became-required a'],
    ['safe response-property-became-required a'],
  ],
  [
    'a member may be absent',
    { ...named('a'), required: ['a'] },
    named('a'),
    ['safe request-property-became-optional a'],
    ['breaking response-property-became-optional a'],
  ],
  [
    'a member of an item goes',
    { type: 'array', items: named('a', 'b') },
    { type: 'array', items: named('a') },
    ['breaking request-property-removed [].b'],
    ['breaking response-property-removed [].b'],
  ],
  [
    'other members are refused',
    named('a'),
    { ...named('a'), additionalProperties: false },
    ['breaking request-closed'],
    [],
  ],
  [
    'other members are taken',
    { ...named('a'), additionalProperties: false },
    named('a'),
    ['safe request-opened'],
    [],
  ],
  [
    'other members have another type',
    { type: 'object', additionalProperties: { type: 'string' } },
    { type: 'object', additionalProperties: { type: 'integer' } },
    ['breaking request-type-changed *'],
    ['breaking response-type-changed *'],
  ],
  [
    'a pattern of names goes',
    { type: 'object', patternProperties: { '^x': { type: 'string' } } },
    { type: 'object' },
    ['breaking request-property-removed ^x'],
    ['breaking response-property-removed ^x'],
  ],
  [
    'a form comes',
    {
      anyOf: [
        { ...named('a'), title: 'A' },
        { ...named('b'), title: 'B' },
      ],
    },
    {
      anyOf: [
        { ...named('b'), title: 'B' },
        { ...named('a'), title: 'A' },
        { ...named('c'), title: 'C' },
      ],
    },
    ['safe request-variant-added <C>'],
    ['dangerous response-variant-added <C>'],
  ],
  [
    'a form goes',
    {
      anyOf: [
        { ...named('a'), title: 'A' },
        { ...named('b'), title: 'B' },
      ],
    },
    { ...named('a'), title: 'A' },
    ['breaking request-variant-removed <B>'],
    ['safe response-variant-removed <B>'],
  ],
  [
    'the only form is called otherwise',
    { ...named('a'), title: 'A' },
    { ...named('a'), title: 'B', description: 'words', examples: [1] },
    [],
    [],
  ],
  [
    'a default changes',
    { type: 'string', default: 'a' },
    { type: 'string', default: 'b' },
    ['dangerous request-default-changed'],
    [],
  ],
  [
    'a member is called like what objects inherit',
    named('a'),
    named('a', 'constructor'),
    ['safe request-property-added constructor'],
    ['safe response-property-added constructor'],
  ],
])('%s: judged by who writes the object', (_, before, after, request, response) => {
  for (const [polarity, expected] of Object.entries({ request, response }) as ['request', string[]][]) {
    const ids = expected.map((text) => {
      const [severity, kind, member = ''] = text.split(' ');
      const separator = member === '' || member.startsWith('[') ? '' : '.';
      return `${severity} ${kind}:${place[polarity]}${separator}${member}`;
    });
    expect(diffValue(polarity, before, after)).toEqual(ids);
  }
});

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

const operation = (document: Part) => at(document, 'paths', '/api/v1/listings', 'post');
const parameter = (more: Part): Part => ({ name: 'x', in: 'query', schema: { type: 'array' }, ...more });
const put = (name: string, value: unknown) => (document: Part) => {
  operation(document)[name] = value;
};

test.each<[string, (document: Part) => void, (document: Part) => void, string[]]>([
  [
    'a parameter is demanded',
    put('parameters', [parameter({})]),
    put('parameters', [parameter({ required: true })]),
    ['breaking parameter-became-required:POST /api/v1/listings query:x'],
  ],
  [
    'a parameter may be left out',
    put('parameters', [parameter({ required: true })]),
    put('parameters', [parameter({})]),
    ['safe parameter-became-optional:POST /api/v1/listings query:x'],
  ],
  [
    'a list is written in another way',
    put('parameters', [parameter({})]),
    put('parameters', [parameter({ explode: false })]),
    ['breaking parameter-style-changed:POST /api/v1/listings query:x'],
  ],
  [
    'a list states how it is written anyway',
    put('parameters', [parameter({})]),
    put('parameters', [parameter({ style: 'form', explode: true })]),
    [],
  ],
  [
    'a header is not read any more',
    put('parameters', [parameter({ in: 'header' })]),
    put('parameters', []),
    ['dangerous header-removed:POST /api/v1/listings header:x'],
  ],
  [
    'a header is written in capitals',
    put('parameters', [parameter({ in: 'header' })]),
    put('parameters', [parameter({ in: 'header', name: 'X' })]),
    [],
  ],
  [
    'a body is demanded',
    put('requestBody', undefined),
    put('requestBody', { required: true, content: {} }),
    ['breaking required-body-added:POST /api/v1/listings'],
  ],
  [
    'a body is possible',
    put('requestBody', undefined),
    put('requestBody', { content: {} }),
    ['safe body-added:POST /api/v1/listings'],
  ],
  [
    'a body is impossible',
    put('requestBody', { content: {} }),
    put('requestBody', undefined),
    ['breaking body-removed:POST /api/v1/listings'],
  ],
  [
    'a body can no longer be left out',
    put('requestBody', { content: {} }),
    put('requestBody', { required: true, content: {} }),
    ['breaking body-became-required:POST /api/v1/listings'],
  ],
  [
    'a body can be left out',
    put('requestBody', { required: true, content: {} }),
    put('requestBody', { content: {} }),
    ['safe body-became-optional:POST /api/v1/listings'],
  ],
  [
    'a media type of the request goes',
    put('requestBody', { content: { 'text/csv': {} } }),
    put('requestBody', { content: { 'text/xml': {} } }),
    [
      'breaking request-media-type-removed:POST /api/v1/listings text/csv',
      'safe request-media-type-added:POST /api/v1/listings text/xml',
    ],
  ],
  [
    'a media type of the answer goes',
    put('responses', { 200: { content: { 'text/csv': {} } } }),
    put('responses', { 200: { content: {} } }),
    ['breaking response-media-type-removed:POST /api/v1/listings 200 text/csv'],
  ],
  [
    'a status of success comes',
    put('responses', { 200: {} }),
    put('responses', { 200: {}, 202: {} }),
    ['dangerous status-added:POST /api/v1/listings 202'],
  ],
  [
    'a status of failure goes',
    put('responses', { 200: {}, 404: {} }),
    put('responses', { 200: {} }),
    ['dangerous error-status-removed:POST /api/v1/listings 404'],
  ],
  [
    'a status of failure comes',
    put('responses', { 200: {} }),
    put('responses', { 200: {}, 404: {} }),
    ['safe error-status-added:POST /api/v1/listings 404'],
  ],
  [
    'a code moves to another status',
    put('responses', { 404: { 'x-codes': ['gone'] }, 409: {} }),
    put('responses', { 404: {}, 409: { 'x-codes': ['gone'] } }),
    ['breaking problem-status-changed:POST /api/v1/listings 404 gone'],
  ],
  [
    'a code has a further status',
    put('responses', { 404: { 'x-codes': ['gone'] }, 409: {} }),
    put('responses', { 404: { 'x-codes': ['gone'] }, 409: { 'x-codes': ['gone'] } }),
    [],
  ],
  [
    'credentials are demanded',
    put('security', []),
    put('security', [{ bearer: [] }]),
    ['breaking security-stricter:POST /api/v1/listings'],
  ],
  [
    'credentials are voluntary',
    put('security', [{ bearer: [] }]),
    put('security', [{ bearer: [] }, {}]),
    ['dangerous security-looser:POST /api/v1/listings'],
  ],
  [
    'other credentials are demanded',
    put('security', [{ bearer: [] }]),
    put('security', [{ client: [] }]),
    ['breaking security-stricter:POST /api/v1/listings', 'dangerous security-looser:POST /api/v1/listings'],
  ],
  [
    'a call has another name',
    put('operationId', 'a'),
    put('operationId', 'b'),
    ['dangerous operation-id-changed:POST /api/v1/listings'],
  ],
  [
    'a route is deprecated',
    put('deprecated', false),
    put('deprecated', true),
    ['safe route-deprecated:POST /api/v1/listings'],
  ],
  ['words change', put('summary', 'a'), put('summary', 'b'), []],
])('%s', (_, before, after, ids) => {
  expect(diff(before, after)).toEqual(ids);
});

test('a document that is none says that every route is gone', () => {
  const ids = diffOpenApi(shopOpenApi() as Json, {}).map(({ kind }) => kind);
  expect(new Set(ids)).toEqual(new Set([toChange('route-removed', '', '').kind]));
  expect(ids.length).toBeGreaterThan(7);
});
