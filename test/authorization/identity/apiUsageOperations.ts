import { once } from '../matrix/calls.ts';
import type { Operation } from '../matrix/Operation.ts';

/** The use of the API is read over GraphQL only. */
export const apiUsageOperations: readonly Operation[] = [
  {
    field: 'Query.apiUsage',
    rule: { kind: 'holds any', permissions: ['usage:read'] },
    selection: 'nodes { client route } pageInfo { endCursor }',
    cases: [once(() => ({ variables: { first: 100 } }))],
  },
];
