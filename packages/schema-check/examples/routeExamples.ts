import type { restKinds } from '../src/kinds/restKinds.ts';
import { type Examples, example } from './Example.ts';

/** A part of an OpenAPI document. */
type Part = Readonly<Record<string, unknown>>;

/** The paths of an OpenAPI document before and after. */
export type RoutePlant = readonly [before: Part, after: Part];

/** A method of one path, before and after. */
const post = (before: Part, after: Part): RoutePlant => [
  { '/a': { post: before } },
  { '/a': { post: after } },
];

const parameter = (more: Part = {}): Part => ({ name: 'x', in: 'query', schema: { type: 'array' }, ...more });
const parameters = (before: Part | null, after: Part | null): RoutePlant =>
  post({ parameters: before ? [before] : [] }, { parameters: after ? [after] : [] });

/** Request bodies. Null for none. */
const bodies = (before: Part | null, after: Part | null): RoutePlant =>
  post(before ? { requestBody: before } : {}, after ? { requestBody: after } : {});

const responses = (before: Part, after: Part): RoutePlant =>
  post({ responses: before }, { responses: after });
const csv = { content: { 'text/csv': {} } };
const both = { content: { 'text/csv': {}, 'text/xml': {} } };
const sunset = { headers: { Sunset: { schema: { type: 'string' } } } };
const coded = { 'x-codes': ['gone'] };
const named: RoutePlant = [
  { '/a/{b}': { post: { parameters: [parameter({ name: 'b', in: 'path' })] } } },
  { '/a/{c}': { post: { parameters: [parameter({ name: 'c', in: 'path' })] } } },
];
const words = post({ summary: 'a' }, { summary: 'b' });
const capitals = parameters(parameter({ in: 'header' }), parameter({ in: 'header', name: 'X' }));
const [bearer, client] = [{ bearer: [] }, { client: [] }];

/** Changes of routes: methods, paths, parameters, statuses, media types, headers, credentials. */
export const routeExamples: Examples<typeof restKinds, RoutePlant> = {
  'route-removed': [example('POST /a', [{ '/a': { post: {} } }, {}], named)],
  'route-moved': [
    example(
      'POST /a',
      [{ '/a': { post: { 'x-graphql-field': 'f' } } }, { '/b': { put: { 'x-graphql-field': 'f' } } }],
      [
        { '/a': { post: { 'x-graphql-field': 'f' } } },
        { '/a': { post: { 'x-graphql-field': 'f' } }, '/b': { put: { 'x-graphql-field': 'f' } } },
      ],
    ),
  ],
  'route-added': [example('POST /a', [{}, { '/a': { post: {} } }], named)],
  'status-removed': [
    example(
      'POST /a 202',
      responses({ 200: {}, 202: {} }, { 200: {} }),
      responses({ 200: {}, 404: {} }, { 200: {} }),
    ),
  ],
  'status-added': [
    example(
      'POST /a 202',
      responses({ 200: {} }, { 200: {}, 202: {} }),
      responses({ 200: {} }, { 200: {}, 404: {} }),
    ),
  ],
  'error-status-removed': [
    example(
      'POST /a 404',
      responses({ 200: {}, 404: {} }, { 200: {} }),
      responses({ 200: {} }, { 200: {}, 404: {} }),
    ),
  ],
  'error-status-added': [
    example(
      'POST /a 404',
      responses({ 200: {} }, { 200: {}, 404: {} }),
      responses({ 200: {} }, { 200: {}, 202: {} }),
    ),
  ],
  'problem-status-changed': [
    example(
      'POST /a 404 gone',
      responses({ 404: coded, 410: {} }, { 404: {}, 410: coded }),
      responses({ 404: coded, 410: {} }, { 404: coded, 410: coded }),
    ),
  ],
  'parameter-removed': [
    example('POST /a query:x', parameters(parameter(), null), parameters(parameter({ in: 'header' }), null)),
  ],
  'header-removed': [example('POST /a header:x', parameters(parameter({ in: 'header' }), null), capitals)],
  'required-parameter-added': [
    example(
      'POST /a query:x',
      parameters(null, parameter({ required: true })),
      parameters(null, parameter()),
    ),
  ],
  'parameter-became-required': [
    example(
      'POST /a query:x',
      parameters(parameter(), parameter({ required: true })),
      parameters(parameter({ required: true }), parameter()),
    ),
  ],
  'parameter-style-changed': [
    example(
      'POST /a query:x',
      parameters(parameter(), parameter({ explode: false })),
      parameters(parameter(), parameter({ style: 'form', explode: true })),
    ),
  ],
  'parameter-added': [example('POST /a query:x', parameters(null, parameter()), capitals)],
  'parameter-became-optional': [
    example(
      'POST /a query:x',
      parameters(parameter({ required: true }), parameter()),
      parameters(parameter({ required: false }), parameter()),
    ),
  ],
  'body-removed': [example('POST /a', bodies(csv, null), bodies({ ...csv, required: true }, csv))],
  'required-body-added': [example('POST /a', bodies(null, { ...csv, required: true }), bodies(null, csv))],
  'body-became-required': [
    example('POST /a', bodies(csv, { ...csv, required: true }), bodies({ ...csv, required: true }, csv)),
  ],
  'body-added': [example('POST /a', bodies(null, csv), bodies(csv, { ...csv, description: 'Words.' }))],
  'body-became-optional': [
    example('POST /a', bodies({ ...csv, required: true }, csv), bodies({ ...csv, required: false }, csv)),
  ],
  'request-media-type-removed': [example('POST /a text/xml', bodies(both, csv), bodies(csv, both))],
  'request-media-type-added': [
    example('POST /a text/xml', bodies(csv, both), bodies(csv, { ...csv, description: 'Words.' })),
  ],
  'response-media-type-removed': [
    example(
      'POST /a 200 text/xml',
      responses({ 200: both }, { 200: csv }),
      responses({ 200: csv }, { 200: both }),
    ),
  ],
  'response-media-type-added': [
    example('POST /a 200 text/xml', responses({ 200: csv }, { 200: both }), words),
  ],
  'response-header-removed': [
    example(
      'POST /a 200 Sunset',
      responses({ 200: sunset }, { 200: {} }),
      responses({ 200: {} }, { 200: sunset }),
    ),
  ],
  'response-header-added': [example('POST /a 200 Sunset', responses({ 200: {} }, { 200: sunset }), words)],
  'security-stricter': [
    example(
      'POST /a',
      post({ security: [] }, { security: [bearer] }),
      post({ security: [bearer, client] }, { security: [client, bearer] }),
    ),
  ],
  'security-looser': [
    example(
      'POST /a',
      post({ security: [bearer] }, { security: [bearer, {}] }),
      post({ security: [bearer, client] }, { security: [client, bearer] }),
    ),
  ],
  'operation-id-changed': [example('POST /a', post({ operationId: 'a' }, { operationId: 'b' }), words)],
  'route-deprecated': [
    example(
      'POST /a',
      post({ deprecated: false }, { deprecated: true }),
      post({ deprecated: true }, { deprecated: false }),
    ),
  ],
};
