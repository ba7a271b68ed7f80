import { GraphQLError, GraphQLScalarType, type GraphQLSchema } from 'graphql';
import {
  answeringTransport,
  composeFederation,
  countRequests,
  engineOf,
  type Federation,
  localTransports,
  prepareOrThrow,
  type SubgraphSource,
} from '../../test/support/execution/federationFixture.ts';
import { createLocalTransport } from '../transport/localTransport.ts';
import type { CompileOptions, Transport } from '../transport/Transport.ts';
import { createEngine, type Engine } from './createEngine.ts';

type Row = Record<string, unknown>;
type Replaced = Record<string, Transport>;

function engineWith(federation: Federation, replaced: Replaced): Engine {
  return engineOf(federation, { transports: { ...localTransports(federation, true), ...replaced } });
}

async function execute(federation: Federation, text: string, replaced: Replaced = {}) {
  const prepared = await prepareOrThrow(engineWith(federation, replaced), text);
  return prepared.execute({}, {});
}
const plainErrors = (errors: readonly GraphQLError[] | undefined) =>
  errors?.map(({ message, path, extensions }) => ({ message, path, extensions: { ...extensions } }));

const people: SubgraphSource = {
  typeDefs: `
    type Query { me: User! users: [User!] nobody: User }
    type User @key(fields: "id") { id: ID! name: String }
  `,
  resolvers: {
    Query: {
      me: () => ({ id: '1', name: 'Ada' }),
      users: () => ['Ada', 'Bob', 'Ada'].map((name) => ({ id: name === 'Ada' ? '1' : '2', name })),
      nobody: () => null,
    },
    User: { __resolveReference: ({ id }: Row) => ({ id, name: `user ${String(id)}` }) },
  },
};
const posts: SubgraphSource = {
  typeDefs: `
    type Query { newest: Post }
    type User @key(fields: "id") { id: ID! posts: [Post!]! bio: String mood: String }
    type Post { title: String author: User }
  `,
  resolvers: {
    Query: { newest: () => ({ title: 'new', author: { id: '2' } }) },
    User: {
      __resolveReference: ({ id }: Row) => ({ id, posts: [{ title: `by ${String(id)}`, author: { id } }] }),
      bio: ({ id }: Row) => {
        if (id === '1')
          throw new GraphQLError('no bio', { extensions: { code: 'NO_BIO', http: { status: 403 } } });
        return 'bio';
      },
    },
  },
};
const blog = composeFederation({ people, posts });

test('@guard__limits of a root field applies to its transport, its variables and its prepared operation', async () => {
  const federation = composeFederation({
    guarded: {
      typeDefs: `
          extend schema
            @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@composeDirective"])
            @link(url: "https://guards.example/guard/v1.0")
            @composeDirective(name: "@guard__limits")
          directive @guard__limits(arrays: Int, bodyBytes: Int, timeoutMs: Int) on FIELD_DEFINITION
          type Query {
            open(ids: [ID!]): Int
            slow(ids: [ID!]): Int @guard__limits(arrays: 1000, bodyBytes: 1048576, timeoutMs: 15000)
          }
        `,
      resolvers: {},
    },
  });
  const options: (CompileOptions | undefined)[] = [];
  const local = createLocalTransport(federation.schemas.guarded as GraphQLSchema);
  const guarded: Transport = {
    ...local,
    compile(document, text, operationType, compileOptions) {
      options.push(compileOptions);
      return local.compile(document, text, operationType, compileOptions);
    },
  };
  const engine = engineWith(federation, { guarded });
  const slow = await prepareOrThrow(engine, 'query ($ids: [ID!]) { slow(ids: $ids) }');
  expect(options[0]?.timeoutMs).toBe(15_000);
  expect(slow.rootFieldLimits).toEqual({ arrays: 1000, bodyBytes: 1_048_576, timeoutMs: 15_000 });
  expect((await slow.execute({ ids: Array(1000).fill('1') }, {})).errors).toBeUndefined();
  const open = await prepareOrThrow(engine, 'query ($ids: [ID!]) { open(ids: $ids) }');
  const { errors } = await open.execute({ ids: Array(251).fill('1') }, {});
  expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
});

describe('an answer with failures of subgraphs', () => {
  const message = 'The subgraph "posts" cannot be reached.';
  const extensions = { code: 'UPSTREAM_UNAVAILABLE', serviceName: 'posts' };
  const away = answeringTransport(() => ({ errors: [{ message, extensions }] }));
  const usersWith = (bio: string | null) => ['Ada', 'Bob', 'Ada'].map((name) => ({ name, bio }));

  test('has the data of the other subgraphs, and one error for each failed fetch', async () => {
    const text = '{ users { name bio } newest { title } nobody { bio } }';
    const { data, errors } = await execute(blog, text, { posts: away });
    expect(data).toEqual({ users: usersWith(null), newest: null, nobody: null });
    expect(plainErrors(errors)).toEqual([
      { message, path: ['newest'], extensions },
      { message, path: ['users', 0, 'bio'], extensions },
    ]);
  });

  test('has one error for a failed fetch of nested root fields, at the first of their paths', async () => {
    const federation = composeFederation({
      roots: {
        typeDefs: 'type Query { many: [Query!] a: Int }',
        resolvers: { Query: { many: () => [{}, {}], a: () => 1 } },
      },
      posts: { typeDefs: 'type Query { b: Int }', resolvers: {} },
    });
    const { data, errors } = await execute(federation, '{ many { a b } }', { posts: away });
    expect(data).toEqual({ many: [1, 1].map((a) => ({ a, b: null })) });
    expect(errors?.map(({ path }) => path)).toEqual([['many', 0, 'b']]);
  });

  test('has no further error for a null that results from a failure', async () => {
    const list = await execute(blog, '{ users { name posts { title } } }', { posts: away });
    expect([list.data, list.errors?.length]).toEqual([{ users: null }, 1]);
    const root = await execute(blog, '{ me { posts { title } } }', { posts: away });
    expect([root.data, root.errors?.length]).toEqual([null, 1]);
  });

  test('has the error of an entity with its extensions at each path of the entity', async () => {
    const { data, errors } = await execute(blog, '{ u: users { b: bio } }');
    expect(data).toEqual({ u: [{ b: null }, { b: 'bio' }, { b: null }] });
    const stated = { message: 'no bio', extensions: { code: 'NO_BIO', http: { status: 403 } } };
    expect(plainErrors(errors)).toEqual([
      { ...stated, path: ['u', 0, 'b'] },
      { ...stated, path: ['u', 2, 'b'] },
    ]);
  });

  test('has null for the fields of an unknown entity, and an error if a field is non-null', async () => {
    const unknown = { posts: answeringTransport(() => ({ data: { _entities: [null, null] } })) };
    expect(await execute(blog, '{ users { name bio } }', unknown)).toEqual({
      data: { users: usersWith(null) },
    });
    const required = await execute(blog, '{ me { name } users { posts { title } } }', unknown);
    expect(required.data).toEqual({ me: { name: 'Ada' }, users: null });
    const missing = 'Cannot return null for non-nullable field User.posts.';
    expect(plainErrors(required.errors)).toEqual([
      { message: missing, path: ['users', 0, 'posts'], extensions: { code: 'UPSTREAM_ERROR' } },
    ]);
  });

  test.each([
    ['too few entities', { _entities: [{ bio: 'x' }] }],
    ['entities that are not a list', { _entities: { bio: 'x' } }],
    ['no entities', {}],
  ])('has an UPSTREAM_ERROR for a subgraph that returns %s', async (_, data) => {
    const posts = answeringTransport(() => ({ data }));
    const result = await execute(blog, '{ users { name bio } }', { posts });
    expect(result.data).toEqual({ users: usersWith(null) });
    expect(plainErrors(result.errors)).toEqual([
      {
        message: 'The subgraph "posts" returned a malformed response.',
        path: ['users', 0, 'bio'],
        extensions: { code: 'UPSTREAM_ERROR', serviceName: 'posts' },
      },
    ]);
  });

  const refused = new Error('10.0.0.1 refused');
  test.each([
    ['rejects', () => Promise.reject(refused)],
    [
      'throws',
      () => {
        throw refused;
      },
    ],
  ])('has an UPSTREAM_ERROR without the reason for a transport that %s', async (_, broken) => {
    const posts: Transport = { conforming: false, compile: () => broken };
    const { data, errors } = await execute(blog, '{ me { name } newest { title } }', { posts });
    expect(data).toEqual({ me: { name: 'Ada' }, newest: null });
    expect(JSON.stringify(errors)).not.toContain('10.0.0.1');
    expect(errors?.[0]?.extensions).toEqual({ code: 'UPSTREAM_ERROR', serviceName: 'posts' });
  });

  test('has no members that were not selected, and null for values of the wrong type', async () => {
    const text = '{"newest":{"title":"t","secret":1,"author":[1],"__proto__":{"admin":true}},"extra":2}';
    const posts = answeringTransport(() => ({ data: JSON.parse(text) as Row }));
    const { data } = await execute(blog, '{ newest { title author { id } } }', { posts });
    expect(data).toEqual({ newest: { title: 't', author: null } });
    expect(({} as Row).admin).toBeUndefined();
  });

  test('has an UPSTREAM_ERROR for an entity without its key, which is not fetched', async () => {
    const incomplete = answeringTransport(() => ({ data: { users: [{ __typename: 'User', name: 'Ada' }] } }));
    const { transport, sent } = countRequests(localTransports(blog, true).posts as Transport);
    const replaced = { people: incomplete, posts: transport };
    const { data, errors } = await execute(blog, '{ users { name bio } }', replaced);
    expect(data).toEqual({ users: [{ name: 'Ada', bio: null }] });
    expect(errors?.[0]?.extensions.code).toBe('UPSTREAM_ERROR');
    expect(sent).toEqual([]);
  });

  test('has null for a subgraph that returns neither data nor errors', async () => {
    const silent = { posts: answeringTransport(() => ({})) };
    expect((await execute(blog, '{ newest { title } }', silent)).data).toEqual({ newest: null });
  });
});

test('two mutation fields of one subgraph are sent in one request', async () => {
  const typeDefs = 'type Query { a: Int } type Mutation { touch(n: Int): Int }';
  const federation = composeFederation({ one: { typeDefs, resolvers: {} } });
  const { transport, sent } = countRequests(localTransports(federation, true).one as Transport);
  await execute(federation, 'mutation { a: touch(n: 1) b: touch(n: 2) }', { one: transport });
  expect(sent).toHaveLength(1);
});

test('a value of a custom scalar is returned as the same object and sent as a required value', async () => {
  const shared = Object.freeze({ list: Object.freeze([Object.freeze({ n: 1 })]) });
  const Json = new GraphQLScalarType({ name: 'Json', serialize: (value) => value });
  const federation = composeFederation({
    one: {
      typeDefs:
        'scalar Json type Query { item: Item } type Item @key(fields: "id") { id: ID! meta: Json @shareable }',
      resolvers: {
        Json,
        Query: { item: () => ({ id: '1', meta: shared }) },
        Item: { __resolveReference: (row: Row) => row },
      },
    },
    two: {
      typeDefs: `
        scalar Json
        type Item @key(fields: "id") { id: ID! meta: Json @external more: Json needs: String @requires(fields: "meta") }
      `,
      resolvers: {
        Json: new GraphQLScalarType(Json.toConfig()),
        Item: {
          __resolveReference: (row: Row) => row,
          more: () => shared,
          needs: ({ meta }: Row) => JSON.stringify(meta),
        },
      },
    },
  });
  const { data, errors } = await execute(federation, '{ item { meta more needs } }');
  expect(errors).toBeUndefined();
  const item = (data ?? {}).item as Row;
  expect(item.meta).toBe(shared);
  expect(item.needs).toBe('{"list":[{"n":1}]}');
});

test('all resolvers of a request receive the same context object', async () => {
  const seen: unknown[] = [];
  const note = (value: unknown) => (_parent: never, _args: never, context: never) => {
    seen.push(context);
    return value;
  };
  const federation = composeFederation({
    people: { ...people, resolvers: { ...people.resolvers, Query: { me: note({ id: '1' }) } } },
    posts: { ...posts, resolvers: { User: { __resolveReference: (row: Row) => row, mood: note('calm') } } },
  });
  const context = { signal: new AbortController().signal };
  await (await prepareOrThrow(engineOf(federation), '{ me { mood } }')).execute({}, context);
  expect(seen.map((value) => value === context)).toEqual([true, true]);
});

test('an engine reports the start and end of each fetch', async () => {
  const observed: string[] = [];
  const engine = engineOf(blog, {
    observeFetch: ({ serviceName, operationType }) => {
      observed.push(`begin ${operationType} ${serviceName}`);
      return (result) => observed.push(`end ${serviceName} ${result.errors?.length ?? 0}`);
    },
  });
  await (await prepareOrThrow(engine, '{ me { bio } }')).execute({}, {});
  expect(observed).toEqual(['begin query people', 'end people 0', 'begin query posts', 'end posts 1']);
});

test('an engine cannot be created without a transport for each subgraph, or from an invalid supergraph', () => {
  const { people: transport } = localTransports(blog, true);
  const incomplete = { supergraphSdl: blog.supergraphSdl, transports: { people: transport as Transport } };
  expect(() => createEngine(incomplete)).toThrow('There is no transport for the subgraphs: posts.');
  expect(() => createEngine({ supergraphSdl: 'type Query {', transports: {} })).toThrow(GraphQLError);
});
