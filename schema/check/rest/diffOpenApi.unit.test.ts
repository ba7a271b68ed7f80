import { toChange } from '../Change.ts';
import { shopOpenApi } from '../shopFixture.ts';
import { diffOpenApi } from './diffOpenApi.ts';
import { at, diff, type Part } from './documentFixture.ts';
import type { Json } from './Json.ts';

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
    'a parameter comes that may be left out',
    put('parameters', []),
    put('parameters', [parameter({})]),
    ['safe parameter-added:POST /api/v1/listings query:x'],
  ],
  [
    'a media type of the answer comes',
    put('responses', { 200: { content: {} } }),
    put('responses', { 200: { content: { 'text/csv': {} } } }),
    ['safe response-media-type-added:POST /api/v1/listings 200 text/csv'],
  ],
  [
    'a header of the answer comes',
    put('responses', { 200: { headers: {} } }),
    put('responses', { 200: { headers: { Sunset: { schema: { type: 'string' } } } } }),
    ['safe response-header-added:POST /api/v1/listings 200 Sunset'],
  ],
  [
    'an answer is written as a component',
    put('responses', { 404: { 'x-codes': ['gone'], headers: {} } }),
    (document) => {
      Object.assign(at(document, 'components', 'responses'), { Gone: { 'x-codes': ['gone'], headers: {} } });
      operation(document).responses = { 404: { $ref: '#/components/responses/Gone' } };
    },
    [],
  ],
  [
    'a code moves to another status, both written as components',
    (document) => {
      Object.assign(at(document, 'components', 'responses'), { Gone: { 'x-codes': ['gone'] }, Other: {} });
      const [gone, other] = ['Gone', 'Other'].map((name) => ({ $ref: `#/components/responses/${name}` }));
      operation(document).responses = { 404: gone, 410: other };
    },
    (document) => {
      Object.assign(at(document, 'components', 'responses'), { Gone: { 'x-codes': ['gone'] }, Other: {} });
      const [gone, other] = ['Gone', 'Other'].map((name) => ({ $ref: `#/components/responses/${name}` }));
      operation(document).responses = { 404: other, 410: gone };
    },
    ['breaking problem-status-changed:POST /api/v1/listings 404 gone'],
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
