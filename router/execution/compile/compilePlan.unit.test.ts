import type { PlanNode } from '@graphql-hive/router-query-planner';
import { buildASTSchema, GraphQLError, parse } from 'graphql';
import {
  composeFederation,
  countRequests,
  localTransports,
} from '../../../test/support/execution/federationFixture.ts';
import type { Transport } from '../../transport/Transport.ts';
import { compilePlan } from './compilePlan.ts';
import type { PlanCompilation } from './compileRequest.ts';
import { createState, type ExecutionState } from './ExecutionState.ts';
import { createTypeConditions } from './TypeConditions.ts';

type Row = Record<string, unknown>;

const federation = composeFederation({
  names: {
    typeDefs: `
      type Query { me: Node all: [Node] }
      interface Node { id: ID! }
      type User implements Node @key(fields: "id") { id: ID! name: String }
      type Group implements Node @key(fields: "id") { id: ID! name: String }
    `,
    resolvers: {
      Query: {
        me: () => ({ __typename: 'User', id: '1', name: 'Ada' }),
        all: () => [
          { __typename: 'User', id: '1' },
          { __typename: 'Group', id: '1' },
          { __typename: 'User', id: '1' },
        ],
      },
    },
  },
  sizes: {
    typeDefs:
      'type User @key(fields: "id") { id: ID! size: Int } type Group @key(fields: "id") { id: ID! size: Int }',
    resolvers: {
      User: { __resolveReference: ({ id }: Row) => ({ id, size: 1 }) },
      Group: { __resolveReference: ({ id }: Row) => ({ id, size: 20 }) },
    },
  },
});
const supergraph = buildASTSchema(parse(federation.supergraphSdl));

async function run(node: PlanNode, variables: Row = {}): Promise<{ state: ExecutionState; sent: string[] }> {
  const counted = Object.entries(localTransports(federation, true)).map(
    ([name, transport]) => [name, countRequests(transport)] as const,
  );
  const compilation: PlanCompilation = {
    supergraph,
    conditions: createTypeConditions(supergraph),
    transports: new Map<string, Transport>(counted.map(([name, { transport }]) => [name, transport])),
    variableNames: Object.keys(variables),
    options: {},
    observeFetch: undefined,
  };
  const state = createState(variables, {});
  await compilePlan(node, compilation)(state);
  return { state, sent: counted.flatMap(([, { sent }]) => sent) };
}

const all: PlanNode = { kind: 'Fetch', serviceName: 'names', operation: '{ all { __typename id } }' };
const requires = (typeCondition: string) => ({
  kind: 'InlineFragment' as const,
  typeCondition,
  selections: [
    { kind: 'Field' as const, name: '__typename' },
    { kind: 'Field' as const, name: 'id' },
  ],
});

describe('a compiled plan', () => {
  test('executes the clause of a condition that its variable selects', async () => {
    const me: PlanNode = { kind: 'Fetch', serviceName: 'names', operation: '{ me { id } }' };
    const node: PlanNode = { kind: 'Condition', condition: 'yes', ifClause: me, elseClause: all };
    expect((await run(node, { yes: true })).sent).toEqual(['{ me { id } }']);
    expect((await run(node, { yes: false })).sent).toEqual(['{ all { __typename id } }']);
    expect((await run({ kind: 'Condition', condition: 'yes', ifClause: me }, { yes: false })).sent).toEqual(
      [],
    );
  });

  test('fetches only objects of the type condition of a Flatten node', async () => {
    const operation =
      'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Group { size } } }';
    const { state } = await run({
      kind: 'Sequence',
      nodes: [
        all,
        {
          kind: 'Flatten',
          path: [{ Field: 'all' }, '@', { TypeCondition: ['Group'] }],
          node: { kind: 'Fetch', serviceName: 'sizes', operation, requires: [requires('Group')] },
        },
      ],
    });
    const sizes = ((state.data ?? {}).all as Row[]).map(({ size }) => size);
    expect(sizes).toEqual([undefined, 20, undefined]);
  });

  test('fetches several groups of entities in one request, and equal keys of two types separately', async () => {
    const operation = `query ($a: [_Any!]!, $b: [_Any!]!) {
      _e0: _entities(representations: $a) { ... on User { size } ... on Group { size } }
      _e1: _entities(representations: $b) { ... on User { size } }
    }`;
    const me: PlanNode = { kind: 'Fetch', serviceName: 'names', operation: '{ me { __typename id } }' };
    const aliases = [
      {
        alias: '_e0',
        representationsVariableName: 'a',
        paths: [[{ Field: 'all' }, '@' as const]],
        requires: [requires('User'), requires('Group')],
      },
      {
        alias: '_e1',
        representationsVariableName: 'b',
        paths: [[{ Field: 'me' }]],
        requires: [requires('User')],
      },
    ];
    const { state, sent } = await run({
      kind: 'Sequence',
      nodes: [
        { kind: 'Parallel', nodes: [all, me] },
        { kind: 'BatchFetch', serviceName: 'sizes', operation, entityBatch: { aliases } },
      ],
    });
    expect(sent).toHaveLength(3);
    expect(state.data).toMatchObject({ all: [{ size: 1 }, { size: 20 }, { size: 1 }], me: { size: 1 } });
  });

  test('applies rewrites of representation types and of answer keys', async () => {
    const operation =
      'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Group { a0: size missing: __typename } } }';
    const ofUser = { TypenameEquals: ['User'] };
    const label = { path: [{ Key: 'me' }, ofUser, { Key: 'n0' }], renameKeyTo: 'label' };
    const group = { path: [ofUser, { Key: '__typename' }], setValueTo: 'Group' };
    const me: PlanNode = {
      kind: 'Fetch',
      serviceName: 'names',
      operation: '{ me { __typename id n0: id } }',
      outputRewrites: [{ KeyRenamer: label }],
    };
    const size: PlanNode = {
      kind: 'Fetch',
      serviceName: 'sizes',
      operation,
      requires: [requires('User')],
      inputRewrites: [{ ValueSetter: group }],
      outputRewrites: [{ KeyRenamer: { path: [{ Key: 'a0' }], renameKeyTo: 'size' } }],
    };
    const { state } = await run({
      kind: 'Sequence',
      nodes: [me, { kind: 'Flatten', path: [{ Field: 'me' }], node: size }],
    });
    expect(state.data?.me).toMatchObject({ label: '1', size: 20 });
  });

  test('is refused with the name of an unsupported node', async () => {
    const deferred = { kind: 'Defer', primary: {}, deferred: [] } as unknown as PlanNode;
    await expect(run(deferred)).rejects.toThrow(
      new GraphQLError('The query plan has a Defer node, which is not supported here.'),
    );
    const nested: PlanNode = { kind: 'Flatten', path: [], node: { kind: 'Sequence', nodes: [] } };
    await expect(run(nested)).rejects.toThrow('flattens a Sequence');
  });
});
