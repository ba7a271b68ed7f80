import type { guardKinds } from '../../packages/schema-check/src/kinds/guardKinds.ts';
import { type Examples, example } from './Example.ts';

/** Supergraph before and after. */
export type GuardPlant = readonly [before: string, after: string];

/** Directives of a root field, before and after. */
const root = (before: string, after: string): GuardPlant => [
  `type Query { a(id: ID): Int ${before} }`,
  `type Query { a(id: ID): Int ${after} }`,
];

/** Directives of a nested field, before and after. A field without directives has those of its type. */
const nested = (before: string, after: string, type = '@guard__authenticated'): GuardPlant => [
  `type Query { t: T @guard__authenticated } type T ${type} { a: Int ${before} }`,
  `type Query { t: T @guard__authenticated } type T ${type} { a: Int ${after} }`,
];

const permission = '@guard__permission(name: "seo:edit")';
const key = '@guard__authenticated @guard__idempotent';

/** Changes of the guards of a field, which the public schema does not contain. */
export const guardExamples: Examples<typeof guardKinds, GuardPlant> = {
  'guard-missing': [
    example(
      'Query.a',
      root('@guard__authenticated', ''),
      root('@guard__authenticated', '@guard__authenticated @deprecated'),
    ),
    example('Query.a', root('@guard__public', '@guard__rateClass(name: READ)'), nested('', '@deprecated')),
  ],
  'guard-stricter': [
    example(
      'Query.a',
      root('@guard__public', '@guard__authenticated'),
      root('@guard__public', '@guard__public @deprecated'),
    ),
    example(
      'Query.a',
      root('@guard__authenticated', '@guard__authenticated @guard__stepUp(maxAgeSeconds: 60)'),
      root(
        '@guard__authenticated @guard__stepUp(maxAgeSeconds: 60)',
        '@guard__stepUp(maxAgeSeconds: 60) @guard__authenticated',
      ),
    ),
    example('T.a', nested('', permission), nested('', permission, permission)),
  ],
  'guard-opened': [
    example(
      'Query.a',
      root('@guard__authenticated', '@guard__public'),
      root('@guard__authenticated', '@deprecated @guard__authenticated'),
    ),
    example('T.a', nested('', '@guard__public'), nested('', '@guard__public', '')),
    example('T.a', nested(permission, '', ''), nested(permission, '', permission)),
    example(
      'T.a',
      nested(permission, '@guard__public'),
      nested('@guard__public', '@guard__authenticated @guard__public'),
    ),
  ],
  'guard-looser': [
    example(
      'Query.a',
      root(permission, '@guard__authenticated'),
      root(`${permission} @guard__clientScope(name: "a")`, `@guard__clientScope(name: "a") ${permission}`),
    ),
    example(
      'Query.a',
      root(permission, '@guard__owner(type: "Listing", or: "seo:edit")'),
      root('@guard__owner(type: "Listing")', '@guard__owner(type: "Listing", id: "id")'),
    ),
  ],
  'limit-lowered': [
    example(
      'Query.a arrays',
      root('@guard__public @guard__limits(arrays: 250)', '@guard__public @guard__limits(arrays: 100)'),
      root('@guard__public @guard__limits(arrays: 250)', '@guard__public @guard__limits(arrays: 500)'),
    ),
  ],
  'limit-changed': [
    example(
      'Query.a arrays',
      root('@guard__public @guard__limits(arrays: 250)', '@guard__public @guard__limits(arrays: 500)'),
      root(
        '@guard__public @guard__limits(arrays: 250, bodyBytes: 9)',
        '@guard__public @guard__limits(bodyBytes: 9, arrays: 250)',
      ),
    ),
  ],
  'idempotency-required': [
    example('Query.a', root(key, `${key}(required: true)`), root(`${key}(required: true)`, key)),
  ],
  'idempotency-removed': [
    example('Query.a', root(key, '@guard__authenticated'), root('@guard__authenticated', key)),
  ],
  'idempotency-added': [
    example('Query.a', root('@guard__authenticated', key), root(key, `${key}(required: false)`)),
  ],
  'rate-class-changed': [
    example(
      'Query.a',
      root(
        '@guard__public @guard__rateClass(name: READ)',
        '@guard__public @guard__rateClass(name: PUBLIC_READ)',
      ),
      root('@guard__public @guard__rateClass(name: READ)', '@guard__rateClass(name: READ) @guard__public'),
    ),
  ],
};
