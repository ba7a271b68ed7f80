import type { restKinds } from '../kinds/restKinds.ts';
import type { Examples } from './Example.ts';

/** A part of an OpenAPI document. */
type Part = Readonly<Record<string, unknown>>;

/** The paths of an OpenAPI document before and after. */
export type RoutePlant = readonly [before: Part, after: Part];

/** A method of one path, then the same method. */
const post = (before: Part, after: Part): RoutePlant => [
  { '/a': { post: before } },
  { '/a': { post: after } },
];

const parameter = (more: Part = {}): Part => ({ name: 'x', in: 'query', schema: { type: 'array' }, ...more });
const parameters = (before: Part | null, after: Part | null): RoutePlant =>
  post({ parameters: before ? [before] : [] }, { parameters: after ? [after] : [] });

/** Request bodies; null for none. */
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
  'route-removed': [{ path: 'POST /a', caught: [{ '/a': { post: {} } }, {}], passed: named }],
  'route-moved': [
    {
      path: 'POST /a',
      caught: [{ '/a': { post: { 'x-graphql-field': 'f' } } }, { '/b': { put: { 'x-graphql-field': 'f' } } }],
      passed: [
        { '/a': { post: { 'x-graphql-field': 'f' } } },
        { '/a': { post: { 'x-graphql-field': 'f' } }, '/b': { put: { 'x-graphql-field': 'f' } } },
      ],
    },
  ],
  'route-added': [{ path: 'POST /a', caught: [{}, { '/a': { post: {} } }], passed: named }],
  'status-removed': [
    {
      path: 'POST /a 202',
      caught: responses({ 200: {}, 202: {} }, { 200: {} }),
      passed: responses({ 200: {}, 404: {} }, { 200: {} }),
    },
  ],
  'status-added': [
    {
      path: 'POST /a 202',
      caught: responses({ 200: {} }, { 200: {}, 202: {} }),
      passed: responses({ 200: {} }, { 200: {}, 404: {} }),
    },
  ],
  'error-status-removed': [
    {
      path: 'POST /a 404',
      caught: responses({ 200: {}, 404: {} }, { 200: {} }),
      passed: responses({ 200: {} }, { 200: {}, 404: {} }),
    },
  ],
  'error-status-added': [
    {
      path: 'POST /a 404',
      caught: responses({ 200: {} }, { 200: {}, 404: {} }),
      passed: responses({ 200: {} }, { 200: {}, 202: {} }),
    },
  ],
  'problem-status-changed': [
    {
      path: 'POST /a 404 gone',
      caught: responses({ 404: coded, 410: {} }, { 404: {}, 410: coded }),
      passed: responses({ 404: coded, 410: {} }, { 404: coded, 410: coded }),
    },
  ],
  'parameter-removed': [
    {
      path: 'POST /a query:x',
      caught: parameters(parameter(), null),
      passed: parameters(parameter({ in: 'header' }), null),
    },
  ],
  'header-removed': [
    { path: 'POST /a header:x', caught: parameters(parameter({ in: 'header' }), null), passed: capitals },
  ],
  'required-parameter-added': [
    {
      path: 'POST /a query:x',
      caught: parameters(null, parameter({ required: true })),
      passed: parameters(null, parameter()),
    },
  ],
  'parameter-became-required': [
    {
      path: 'POST /a query:x',
      caught: parameters(parameter(), parameter({ required: true })),
      passed: parameters(parameter({ required: true }), parameter()),
    },
  ],
  'parameter-style-changed': [
    {
      path: 'POST /a query:x',
      caught: parameters(parameter(), parameter({ explode: false })),
      passed: parameters(parameter(), parameter({ style: 'form', explode: true })),
    },
  ],
  'parameter-added': [{ path: 'POST /a query:x', caught: parameters(null, parameter()), passed: capitals }],
  'parameter-became-optional': [
    {
      path: 'POST /a query:x',
      caught: parameters(parameter({ required: true }), parameter()),
      passed: parameters(parameter({ required: false }), parameter()),
    },
  ],
  'body-removed': [
    { path: 'POST /a', caught: bodies(csv, null), passed: bodies({ ...csv, required: true }, csv) },
  ],
  'required-body-added': [
    { path: 'POST /a', caught: bodies(null, { ...csv, required: true }), passed: bodies(null, csv) },
  ],
  'body-became-required': [
    {
      path: 'POST /a',
      caught: bodies(csv, { ...csv, required: true }),
      passed: bodies({ ...csv, required: true }, csv),
    },
  ],
  'body-added': [
    { path: 'POST /a', caught: bodies(null, csv), passed: bodies(csv, { ...csv, description: 'Words.' }) },
  ],
  'body-became-optional': [
    {
      path: 'POST /a',
      caught: bodies({ ...csv, required: true }, csv),
      passed: bodies({ ...csv, required: false }, csv),
    },
  ],
  'request-media-type-removed': [
    { path: 'POST /a text/xml', caught: bodies(both, csv), passed: bodies(csv, both) },
  ],
  'request-media-type-added': [
    {
      path: 'POST /a text/xml',
      caught: bodies(csv, both),
      passed: bodies(csv, { ...csv, description: 'Words.' }),
    },
  ],
  'response-media-type-removed': [
    {
      path: 'POST /a 200 text/xml',
      caught: responses({ 200: both }, { 200: csv }),
      passed: responses({ 200: csv }, { 200: both }),
    },
  ],
  'response-media-type-added': [
    { path: 'POST /a 200 text/xml', caught: responses({ 200: csv }, { 200: both }), passed: words },
  ],
  'response-header-removed': [
    {
      path: 'POST /a 200 Sunset',
      caught: responses({ 200: sunset }, { 200: {} }),
      passed: responses({ 200: {} }, { 200: sunset }),
    },
  ],
  'response-header-added': [
    { path: 'POST /a 200 Sunset', caught: responses({ 200: {} }, { 200: sunset }), passed: words },
  ],
  'security-stricter': [
    {
      path: 'POST /a',
      caught: post({ security: [] }, { security: [bearer] }),
      passed: post({ security: [bearer] }, { security: [bearer, client] }),
    },
  ],
  'security-looser': [
    {
      path: 'POST /a',
      caught: post({ security: [bearer] }, { security: [bearer, {}] }),
      passed: post({ security: [bearer, client] }, { security: [client, bearer] }),
    },
  ],
  'operation-id-changed': [
    { path: 'POST /a', caught: post({ operationId: 'a' }, { operationId: 'b' }), passed: words },
  ],
  'route-deprecated': [
    {
      path: 'POST /a',
      caught: post({ deprecated: false }, { deprecated: true }),
      passed: post({ deprecated: true }, { deprecated: false }),
    },
  ],
};
