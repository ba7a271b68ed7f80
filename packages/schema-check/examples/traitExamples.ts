import type { guardKinds } from '../src/kinds/guardKinds.ts';
import { type Examples, example } from './Example.ts';
import type { GuardPlant } from './guardExamples.ts';

/** Kinds that only a guard language with further traits reports; the command does not. */
type Traits = Omit<typeof guardKinds, 'guard-missing' | 'guard-stricter' | 'guard-opened' | 'guard-looser'>;

/** Directives of a root field, before and after. */
const root = (before: string, after: string): GuardPlant => [
  `type Query { a(id: ID): Int ${before} }`,
  `type Query { a(id: ID): Int ${after} }`,
];

const key = '@guard__authenticated @guard__idempotent';

/** Changes of limits, idempotency and rate budgets, in the directives of Trigate, whose own check executes them. */
export const traitExamples: Examples<Traits, GuardPlant> = {
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
