import type { PlanNode } from '@graphql-hive/router-query-planner';
import { entrySubgraphs } from './entrySubgraphs.ts';

const fetch = (serviceName: string): PlanNode => ({ kind: 'Fetch', serviceName, operation: '{ one }' });
const of = (...nodes: (PlanNode | undefined)[]) =>
  entrySubgraphs(nodes.map((node) => ({ kind: 'QueryPlan', ...(node && { node }) })));

test('an operation enters through what is fetched first, each subgraph once', () => {
  const beside: PlanNode = { kind: 'Parallel', nodes: [fetch('a'), fetch('b'), fetch('a')] };
  expect(of(fetch('a'))).toEqual(['a']);
  expect(of({ kind: 'Sequence', nodes: [beside, fetch('c')] })).toEqual(['a', 'b']);
});

test('an operation with conditions enters through whatever they may let in', () => {
  expect(of({ kind: 'Condition', condition: 'v', ifClause: fetch('a'), elseClause: fetch('b') })).toEqual([
    'a',
    'b',
  ]);
});

test('serial mutations enter through the first one, and introspection through none', () => {
  expect(of(fetch('a'), fetch('b'))).toEqual(['a']);
  expect(of(undefined)).toEqual([]);
});
