import { buildSubgraphSchema } from '@apollo/subgraph';
import { execute, graphql, parse, printSchema } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { checkReferences } from '../federation/checkReferences.ts';
import { mapEnums } from './mapEnums.ts';

const typeDefs = parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@requires"])
  enum State { IN_PROGRESS DONE }
  input Filter { state: State = IN_PROGRESS states: [State!] = [DONE] }
  type Query {
    seen(state: State = DONE, filter: Filter = {}): String!
    states: [State!]!
    broken: State
  }
  type Task @key(fields: "state id") { id: ID! state: State! seen: String! }
`);
const resolvers = {
  Query: {
    seen: (_: unknown, args: object) => JSON.stringify(args),
    states: () => ['in_progress', 'done'],
    broken: () => 'lost',
  },
  Task: { seen: ({ state }: { state: string }) => state },
};
const schema = checkReferences(mapEnums(buildSubgraphSchema([{ typeDefs, resolvers }])));

type Run = (source: string, variableValues?: Record<string, unknown>) => Promise<unknown>;
const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;
const run: Run = async (source, variableValues = {}) =>
  plain(await execute({ schema, document: parse(source), variableValues }));
const runCompiled: Run = async (source, variableValues = {}) => {
  const compiled = compileQuery(schema, parse(source));
  if (!isCompiledQuery(compiled)) throw new Error('The query does not compile.');
  return plain(await compiled.query({}, {}, variableValues));
};

describe.each([
  ['graphql-js', run],
  ['graphql-jit', runCompiled],
])('%s', (_, answer) => {
  test('passes the internal value of a literal, a variable and a default to resolvers', async () => {
    expect(await answer('{ seen }')).toEqual({
      data: { seen: '{"state":"done","filter":{"state":"in_progress","states":["done"]}}' },
    });
    const source = 'query ($state: State!) { seen(state: $state, filter: { states: [$state, DONE] }) }';
    expect(await answer(source, { state: 'IN_PROGRESS' })).toEqual({
      data: {
        seen: '{"state":"in_progress","filter":{"state":"in_progress","states":["in_progress","done"]}}',
      },
    });
  });

  test('returns the names of enum values, and refuses a value that the enum does not have', async () => {
    expect(await answer('{ states }')).toEqual({ data: { states: ['IN_PROGRESS', 'DONE'] } });
    expect(await answer('{ broken }')).toMatchObject({
      data: { broken: null },
      errors: [{ message: expect.stringContaining('cannot represent') }],
    });
  });

  test('passes the internal value of an enum in an entity reference to resolvers', async () => {
    const source = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Task { state seen } } }';
    const of = [
      { __typename: 'Task', id: '1', state: 'DONE' },
      { __typename: 'Task', id: '2', state: 'done' },
    ];
    expect(await answer(source, { of })).toMatchObject({
      data: { _entities: [{ state: 'DONE', seen: 'done' }, null] },
      errors: [{ message: '`state` of `Task` must be a value of `State`.' }],
    });
  });
});

test('the schema for clients keeps the names and defaults of its enums', async () => {
  const printed = printSchema(schema);
  expect(printed).toContain(
    'seen(state: State = DONE, filter: Filter = {state: IN_PROGRESS, states: [DONE]})',
  );
  expect(printed).toContain('states: [State!] = [DONE]');
  const { data } = await graphql({ schema, source: '{ _service { sdl } }' });
  expect(JSON.stringify(data)).toContain('state: State = DONE');
});
