import { type FetchNode, type PlanNode, QueryPlanner } from '@graphql-hive/router-query-planner';
import { composeFederation } from '../../../test/support/execution/federationFixture.ts';
import { IsolatedPlanner } from './IsolatedPlanner.ts';

/*
 * Minimal reproductions of faults of the pinned planner, for which `avoidPlannerFaults` and `toPlannedDocument` have
 * workarounds. If a test fails after an update of the planner, the fault is fixed. Delete its workaround.
 */

const { supergraphSdl } = composeFederation({
  users: {
    typeDefs: `
      type Query { me: User node: Node user(id: ID, sizes: [Float]): User }
      interface Node { id: ID! name: String }
      type User implements Node @key(fields: "id") { id: ID! name: String }
      type Group implements Node @key(fields: "id") { id: ID! name: String }
    `,
    resolvers: {},
  },
  posts: {
    typeDefs: `
      interface Node { posts(first: Int): [Post] }
      type User implements Node @key(fields: "id") { id: ID! posts(first: Int): [Post] }
      type Group implements Node @key(fields: "id") { id: ID! posts(first: Int): [Post] }
      type Post { title(length: Int): String by: User }
    `,
    resolvers: {},
  },
});
const planner = new QueryPlanner(supergraphSdl);

function fetchesOf(text: string): FetchNode[] {
  const collect = (node: PlanNode): FetchNode[] => {
    if (node.kind === 'Fetch') return [node];
    if (node.kind === 'Sequence' || node.kind === 'Parallel') return node.nodes.flatMap(collect);
    return node.kind === 'Flatten' ? collect(node.node) : [];
  };
  const { node } = planner.plan(text, null, new Set(), 50);
  return node === undefined || node === null ? [] : collect(node);
}

describe('the pinned planner', () => {
  // https://github.com/graphql-hive/router/issues/838
  test('stores an alias under the name of a key before it reads the key', () => {
    const [first, second] = fetchesOf('{ me { id: name posts { title } } }');
    expect(first?.operation).toBe('{me{__typename _internal_qp_alias_0: name id}}');
    const renamed = [{ Key: 'me' }, { Key: '_internal_qp_alias_0' }];
    expect(first?.outputRewrites).toEqual([{ KeyRenamer: { path: renamed, renameKeyTo: 'id' } }]);
    expect(JSON.stringify(second?.requires)).toContain('"name":"id"');
  });

  test('lets an alias replace __typename, which its own fetches read', () => {
    const [first] = fetchesOf('{ me { __typename: name posts { title } } }');
    expect(first?.operation).toBe('{me{__typename __typename: name id}}');
  });

  test('declares $representations twice if the client declares a variable with this name', () => {
    const [, second] = fetchesOf(
      'query ($representations: Int) { me { posts(first: $representations) { title } } }',
    );
    expect(second?.operation).toContain('($representations:[_Any!]!, $representations:Int)');
  });

  test.each([
    '{ user(id: 99999999999999999999) { name } }',
    '{ user(sizes: [9223372036854775808]) { name } }',
  ])('throws for an integer above 64 bits: %s', (text) => {
    expect(() => fetchesOf(text)).toThrow('number too large');
  });

  // https://github.com/graphql-hive/router/issues/1311
  test('crashes on a field that is repeated with its own name as alias', async () => {
    const isolated = new IsolatedPlanner({ supergraphSdl, timeoutMs: 10_000 });
    await expect(isolated.plan('{ node { posts { by { name name: name } } } }')).rejects.toThrow();
    isolated.close();
  });
});
