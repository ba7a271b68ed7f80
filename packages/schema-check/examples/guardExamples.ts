import type { guardKinds } from '../src/kinds/guardKinds.ts';
import { type Examples, example } from './Example.ts';

/** Supergraph before and after. */
export type GuardPlant = readonly [before: string, after: string];

/** Kinds of guards; a project's directives state the other kinds. */
type Guards = Pick<typeof guardKinds, 'guard-missing' | 'guard-stricter' | 'guard-opened' | 'guard-looser'>;

/** Directives of a root field, before and after. */
const root = (before: string, after: string): GuardPlant => [
  `type Query { a(id: ID): Int ${before} }`,
  `type Query { a(id: ID): Int ${after} }`,
];

/** Directives of a nested field, before and after. A field without directives has those of its type. */
const nested = (before: string, after: string): GuardPlant => [
  `type Query { t: T @authenticated } type T @authenticated { a: Int ${before} }`,
  `type Query { t: T @authenticated } type T @authenticated { a: Int ${after} }`,
];

const scopes = (list: string) => `@requiresScopes(scopes: ${list})`;
const policies = (list: string) => `@policy(policies: ${list})`;

/** Changes of guards, with the directives of the federation specification and `@public`; each root field needs one. */
export const guardExamples: Examples<Guards, GuardPlant> = {
  'guard-missing': [
    example('Query.a', root('@authenticated', ''), root('@authenticated', '@authenticated @deprecated')),
  ],
  'guard-stricter': [
    example('Query.a', root('@public', '@authenticated'), root('@public', '@public @deprecated')),
    example(
      'Query.a',
      root(scopes('[["read"]]'), scopes('[["read", "audit"]]')),
      root(scopes('[["read", "audit"]]'), scopes('[["audit", "read"]]')),
    ),
    example('T.a', nested('', policies('[["staff"]]')), nested('', '@authenticated')),
  ],
  'guard-opened': [
    example(
      'Query.a',
      root('@authenticated', '@public'),
      root('@authenticated', '@deprecated @authenticated'),
    ),
    example('T.a', nested('', '@public'), nested('@public', '@public @deprecated')),
  ],
  'guard-looser': [
    example(
      'Query.a',
      root(scopes('[["read"]]'), '@authenticated'),
      root(`@authenticated ${scopes('[["read"]]')}`, scopes('[["read"]]')),
    ),
    example(
      'Query.a',
      root(scopes('[["read"]]'), scopes('[["read"], ["support"]]')),
      root(scopes('[["read"], ["support"]]'), scopes('[["support"], ["read"]]')),
    ),
    example('T.a', nested(policies('[["staff"]]'), ''), nested('@authenticated', '')),
  ],
};
