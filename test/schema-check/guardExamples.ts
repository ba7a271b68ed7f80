import { type Examples, example } from '../../packages/schema-check/examples/Example.ts';
import type { GuardPlant } from '../../packages/schema-check/examples/guardExamples.ts';
import { traitExamples } from '../../packages/schema-check/examples/traitExamples.ts';
import type { guardKinds } from '../../packages/schema-check/src/kinds/guardKinds.ts';

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
  ...traitExamples,
};
