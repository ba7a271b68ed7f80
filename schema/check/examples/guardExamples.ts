import type { guardKinds } from '../kinds/guardKinds.ts';
import type { Examples } from './Example.ts';

/** Supergraph before and after. */
export type GuardPlant = readonly [before: string, after: string];

/** Directives of a root field, then others. */
const root = (before: string, after: string): GuardPlant => [
  `type Query { a(id: ID): Int ${before} }`,
  `type Query { a(id: ID): Int ${after} }`,
];

/** Directives of a field below the root, then others; those of its type hold where it has none. */
const nested = (before: string, after: string, type = '@authenticated'): GuardPlant => [
  `type Query { t: T @authenticated } type T ${type} { a: Int ${before} }`,
  `type Query { t: T @authenticated } type T ${type} { a: Int ${after} }`,
];

const permission = '@permission(name: "seo:edit")';
const key = '@authenticated @idempotent';

/** Changes of what a field demands of its caller, which the public schema does not show. */
export const guardExamples: Examples<typeof guardKinds, GuardPlant> = {
  'guard-missing': [
    { path: 'Query.a', caught: root('@authenticated', ''), passed: root(permission, '@authenticated') },
    { path: 'Query.a', caught: root('@public', '@rateClass(name: READ)'), passed: nested('', '@deprecated') },
  ],
  'guard-stricter': [
    {
      path: 'Query.a',
      caught: root('@public', '@authenticated'),
      passed: root(permission, '@authenticated'),
    },
    {
      path: 'Query.a',
      caught: root('@authenticated', '@authenticated @stepUp(maxAgeSeconds: 60)'),
      passed: root('@authenticated @stepUp(maxAgeSeconds: 60)', '@authenticated @stepUp(maxAgeSeconds: 600)'),
    },
    { path: 'T.a', caught: nested('', permission), passed: nested('', permission, permission) },
  ],
  'guard-opened': [
    {
      path: 'Query.a',
      caught: root('@authenticated', '@public'),
      passed: root(permission, '@authenticated'),
    },
    { path: 'T.a', caught: nested('', '@public'), passed: nested('', '@public', '') },
    { path: 'T.a', caught: nested(permission, '', ''), passed: nested(permission, '') },
    {
      path: 'T.a',
      caught: nested(permission, '@public'),
      passed: nested('@public', '@authenticated @public'),
    },
  ],
  'guard-looser': [
    {
      path: 'Query.a',
      caught: root(permission, '@authenticated'),
      passed: root(`${permission} @clientScope(name: "a")`, `@clientScope(name: "a") ${permission}`),
    },
    {
      path: 'Query.a',
      caught: root(permission, '@owner(type: "Listing", or: "seo:edit")'),
      passed: root('@owner(type: "Listing")', '@owner(type: "Listing", id: "id")'),
    },
  ],
  'limit-lowered': [
    {
      path: 'Query.a arrays',
      caught: root('@public @limits(arrays: 250)', '@public @limits(arrays: 100)'),
      passed: root('@public @limits(arrays: 250)', '@public @limits(arrays: 500)'),
    },
  ],
  'limit-changed': [
    {
      path: 'Query.a arrays',
      caught: root('@public @limits(arrays: 250)', '@public @limits(arrays: 500)'),
      passed: root(
        '@public @limits(arrays: 250, bodyBytes: 9)',
        '@public @limits(bodyBytes: 9, arrays: 250)',
      ),
    },
  ],
  'idempotency-required': [
    {
      path: 'Query.a',
      caught: root(key, `${key}(required: true)`),
      passed: root(`${key}(required: true)`, key),
    },
  ],
  'idempotency-removed': [
    { path: 'Query.a', caught: root(key, '@authenticated'), passed: root('@authenticated', key) },
  ],
  'idempotency-added': [
    { path: 'Query.a', caught: root('@authenticated', key), passed: root(key, `${key}(required: false)`) },
  ],
  'rate-class-changed': [
    {
      path: 'Query.a',
      caught: root('@public @rateClass(name: READ)', '@public @rateClass(name: PUBLIC_READ)'),
      passed: root('@public @rateClass(name: READ)', '@rateClass(name: READ) @public'),
    },
  ],
};
