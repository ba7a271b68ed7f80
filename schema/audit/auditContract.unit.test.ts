import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { composeSupergraph } from '../../packages/schema-check/src/compose/composeSupergraph.ts';
import { assembleSdl } from '../compose/assembleSubgraphSdl.ts';
import { publicExceptions } from '../publicExceptions.ts';
import type { Route } from '../route/Route.ts';
import { parseRouteDocument, readRoutes } from '../route/readRoutes.ts';
import { auditContract } from './auditContract.ts';

function supergraph(fields: string) {
  const text = `type Query { ${fields} } type Listing @key(fields: "id") @guard__public { id: ID! secret: String @guard__permission(name: "listings:moderate") }`;
  const sdl = assembleSdl([{ file: 'shop.graphql', text }]);
  return buildSchema(composeSupergraph([{ name: 'shop', url: 'http://127.0.0.1:1', sdl }]).supergraph);
}

function route(name: string, path: string): Route[] {
  const text = `query ${name} @route(method: GET, path: "${path}", result: "${name}") { ${name} { id } }`;
  return parseRouteDocument(`identity/listing/${name}.graphql`, text);
}

test('the audit lists every method with the guard of its root field, and counts methods by interface', () => {
  const audit = auditContract(
    supergraph(
      'listing: Listing @guard__owner(type: "Listing") authProviders: Listing @guard__public roles: Listing @guard__permission(name: "roles:read")',
    ),
    [...route('listing', '/api/v1/listing'), ...route('authProviders', '/api/v1/auth/providers')],
  );
  expect(audit.methods).toContainEqual({
    interface: 'A',
    method: 'GET',
    path: '/api/v1/listing',
    operation: 'listing',
    document: 'identity/listing/listing.graphql',
    field: 'Query.listing',
    guard: 'owner of Listing',
    public: false,
    ownerRule: 'Listing of id',
    permission: null,
    clientScope: null,
    stepUpSeconds: null,
    freshCaller: false,
    rateClass: null,
    tag: 'listing',
    reason: null,
  });
  expect(audit.interfaces).toEqual({
    A: { authenticated: 1, public: 7, unguarded: 0 },
    B: { authenticated: 0, public: 1, unguarded: 0 },
    C: { authenticated: 0, public: 0, unguarded: 0 },
  });
  const roles = { guard: 'permission roles:read', permission: 'roles:read', public: false, routes: 0 };
  const operation = 'query roles { roles { id secret } }';
  expect(audit.rootFields).toContainEqual(
    expect.objectContaining({ field: 'Query.roles', ...roles, operation }),
  );
  const providers = { path: '/api/v1/auth/providers', reason: expect.stringMatching(/\w/) };
  expect(audit.methods).toContainEqual(expect.objectContaining(providers));
  expect(audit.findings).toEqual([]);
});

test('the audit lists public exceptions without a route', () => {
  const { unmountedExceptions } = auditContract(
    supergraph('authProviders: Listing @guard__public'),
    route('authProviders', '/api/v1/auth/providers'),
  );
  expect(unmountedExceptions).toHaveLength(publicExceptions.length - 7);
  expect(unmountedExceptions).toContain('POST /api/v1/auth/token');
  expect(unmountedExceptions).not.toContain('GET /api/v1/auth/providers');
});

test('the audit states a reason for a public method or field outside of interface A', () => {
  const fields = 'language(code: ID!): Listing @guard__public languages: [Listing] @guard__public';
  const sdl =
    'query languages @route(method: GET, path: "{rest_root}/translation/v1/languages", result: "languages", list: true, cache: "public, max-age=60") { languages { id } }';
  const routes = parseRouteDocument('translation/languages.graphql', sdl);
  const { findings, methods, rootFields } = auditContract(supergraph(fields), routes);
  expect(findings).toEqual([]);
  expect(methods.filter(({ interface: owner }) => owner !== 'A').map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/Index/),
    expect.stringMatching(/Readers/),
  ]);
  expect(rootFields).toContainEqual(
    expect.objectContaining({
      field: 'Query.language',
      reason: expect.stringMatching(/Readers/),
      operation: 'query language($code: ID!) { language(code: $code) { id secret } }',
    }),
  );
});

test('the audit lists a nested field whose guard is stricter than that of its type', () => {
  const { nestedFields } = auditContract(supergraph('listing: Listing @guard__authenticated'), []);
  expect(nestedFields).toEqual([
    { field: 'Listing.secret', guard: 'permission listings:moderate', typeGuard: 'public' },
  ]);
});

test.each<[string, string, string | null, RegExp]>([
  ['a root field without a guard', 'listing: Listing', null, /^Query.listing has no guard/],
  [
    'a method whose field has no guard',
    'listing: Listing other: Listing @guard__public',
    '/api/v1/listing',
    /GET \/api\/v1\/listing: Query.listing has no guard/,
  ],
  [
    'a method whose field does not exist',
    'other: Listing @guard__public',
    '/api/v1/listing',
    /Query.listing has no guard/,
  ],
  [
    'a public method that is not a public exception',
    'listing: Listing @guard__public',
    '/api/v1/listing',
    /public but not a public exception/,
  ],
  [
    'a public root field without a reason',
    'listing: Listing @guard__public',
    null,
    /^Query.listing is public without a reason$/,
  ],
  [
    'a public exception with a guard',
    'listing: Listing @guard__authenticated',
    '/api/v1/auth/providers',
    /public exception but guarded/,
  ],
  [
    'a field of the rate class MONEY without @guard__freshCaller',
    'listing: Listing @guard__authenticated @guard__rateClass(name: MONEY)',
    null,
    /^Query.listing has the rate class MONEY and does not state @guard__freshCaller$/,
  ],
])('the audit reports %s', (_, fields, path, finding) => {
  const { findings } = auditContract(supergraph(fields), path === null ? [] : route('listing', path));
  expect(findings).toContainEqual(expect.stringMatching(finding));
});

test('the audit reports a field that has a rate class and a step-up but no guard', () => {
  const { findings } = auditContract(
    supergraph('listing: Listing @guard__rateClass(name: READ) @guard__stepUp'),
    [],
  );
  expect(findings).toEqual(['Query.listing has no guard']);
});

test('the audit lists documentation, health checks and GraphQL outside of the interfaces', () => {
  const { operations, methods } = auditContract(supergraph('listing: Listing @guard__public'), []);
  const paths = operations.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining(['/graphql', '/docs', '/problems/{code}', '/health/live', '/health/ready']),
  );
  expect(methods.map(({ path }) => path)).not.toEqual(expect.arrayContaining(['/docs']));
});

test('the audit has an operation for every root field without a route, which is valid in the public schema', () => {
  const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  const api = buildSchema(read('api.graphql'));
  const audit = auditContract(buildSchema(read('supergraph.graphql')), readRoutes());
  const alone = audit.rootFields.filter(({ routes }) => routes === 0);
  expect(alone.length).toBeGreaterThan(20);
  const faults = alone.flatMap(({ operation }) => validate(api, parse(operation ?? '')));
  expect(faults).toEqual([]);
});
