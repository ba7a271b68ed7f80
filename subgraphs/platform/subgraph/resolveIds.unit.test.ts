import { buildSubgraphSchema } from '@apollo/subgraph';
import { execute, parse } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { resolveIds } from './resolveIds.ts';

const typeDefs = parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])
  type Query { stored: Task! computed: Task! coded: Code! lost: Task }
  type Task @key(fields: "id") { id: ID! }
  type Code { id: ID! }
`);
const resolvers = {
  Query: {
    stored: () => ({ _id: 'tsk_1' }),
    computed: () => ({ _id: 'tsk_1', id: 'tsk_2' }),
    coded: () => ({ _id: 'cod_1', id: 'cod_2' }),
    lost: () => ({}),
  },
  Task: { __resolveReference: ({ id }: { id: string }) => (id === 'tsk_3' ? { _id: id } : null) },
  Code: { id: ({ _id }: { _id: string }) => _id },
};
const schema = resolveIds(buildSubgraphSchema([{ typeDefs, resolvers }]));

type Run = (source: string, variableValues?: Record<string, unknown>) => Promise<unknown>;
const run: Run = async (source, variableValues = {}) =>
  execute({ schema, document: parse(source), variableValues });
const runCompiled: Run = async (source, variableValues = {}) => {
  const compiled = compileQuery(schema, parse(source));
  if (!isCompiledQuery(compiled)) throw new Error('The query does not compile.');
  return compiled.query({}, {}, variableValues);
};

describe.each([
  ['graphql-js', run],
  ['graphql-jit', runCompiled],
])('%s', (_, answer) => {
  test('returns the `_id` of a record, its own `id` if present, or the result of an `id` resolver', async () => {
    expect(await answer('{ stored { id } computed { id } coded { id } }')).toEqual({
      data: { stored: { id: 'tsk_1' }, computed: { id: 'tsk_2' }, coded: { id: 'cod_1' } },
    });
  });

  test('reports an error for a record without an id', async () => {
    expect(await answer('{ lost { id } }')).toMatchObject({
      data: { lost: null },
      errors: [{ message: expect.stringContaining('non-nullable field Task.id') }],
    });
  });

  test('returns the id of a referenced record', async () => {
    const source = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Task { id } } }';
    const of = [
      { __typename: 'Task', id: 'tsk_3' },
      { __typename: 'Task', id: 'tsk_4' },
    ];
    expect(await answer(source, { of })).toEqual({ data: { _entities: [{ id: 'tsk_3' }, null] } });
  });
});
