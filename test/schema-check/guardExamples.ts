import type { guardKinds } from '../../packages/schema-check/src/kinds/guardKinds.ts';
import { type Examples, example } from './Example.ts';

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
    example('Query.a', root('@authenticated', ''), root('@authenticated', '@authenticated @deprecated')),
    example('Query.a', root('@public', '@rateClass(name: READ)'), nested('', '@deprecated')),
  ],
  'guard-stricter': [
    example('Query.a', root('@public', '@authenticated'), root('@public', '@public @deprecated')),
    example(
      'Query.a',
      root('@authenticated', '@authenticated @stepUp(maxAgeSeconds: 60)'),
      root('@authenticated @stepUp(maxAgeSeconds: 60)', '@stepUp(maxAgeSeconds: 60) @authenticated'),
    ),
    example('T.a', nested('', permission), nested('', permission, permission)),
  ],
  'guard-opened': [
    example(
      'Query.a',
      root('@authenticated', '@public'),
      root('@authenticated', '@deprecated @authenticated'),
    ),
    example('T.a', nested('', '@public'), nested('', '@public', '')),
    example('T.a', nested(permission, '', ''), nested(permission, '', permission)),
    example('T.a', nested(permission, '@public'), nested('@public', '@authenticated @public')),
  ],
  'guard-looser': [
    example(
      'Query.a',
      root(permission, '@authenticated'),
      root(`${permission} @clientScope(name: "a")`, `@clientScope(name: "a") ${permission}`),
    ),
    example(
      'Query.a',
      root(permission, '@owner(type: "Listing", or: "seo:edit")'),
      root('@owner(type: "Listing")', '@owner(type: "Listing", id: "id")'),
    ),
  ],
  'limit-lowered': [
    example(
      'Query.a arrays',
      root('@public @limits(arrays: 250)', '@public @limits(arrays: 100)'),
      root('@public @limits(arrays: 250)', '@public @limits(arrays: 500)'),
    ),
  ],
  'limit-changed': [
    example(
      'Query.a arrays',
      root('@public @limits(arrays: 250)', '@public @limits(arrays: 500)'),
      root('@public @limits(arrays: 250, bodyBytes: 9)', '@public @limits(bodyBytes: 9, arrays: 250)'),
    ),
  ],
  'idempotency-required': [
    example('Query.a', root(key, `${key}(required: true)`), root(`${key}(required: true)`, key)),
  ],
  'idempotency-removed': [example('Query.a', root(key, '@authenticated'), root('@authenticated', key))],
  'idempotency-added': [
    example('Query.a', root('@authenticated', key), root(key, `${key}(required: false)`)),
  ],
  'rate-class-changed': [
    example(
      'Query.a',
      root('@public @rateClass(name: READ)', '@public @rateClass(name: PUBLIC_READ)'),
      root('@public @rateClass(name: READ)', '@rateClass(name: READ) @public'),
    ),
  ],
};
