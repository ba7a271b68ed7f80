import { GraphQLError, GraphQLScalarType, type GraphQLSchema, printSchema } from 'graphql';
import { createLocalTransport } from '../transport/localTransport.ts';
import type { CompileOptions, SubgraphContext, Transport } from '../transport/Transport.ts';
import { createEngine } from './createEngine.ts';
import {
  answeringTransport,
  composeFederation,
  countRequests,
  type Federation,
  localTransports,
  openEngines,
  prepareOrThrow,
  type SubgraphSource,
} from './fixture/federationFixture.ts';

type Row = Record<string, unknown>;

/** Executes in every way to the subgraphs; the answers have to be equal. */
async function answer(
  federation: Federation,
  text: string,
  variables: Row = {},
  context: SubgraphContext = {},
) {
  const { engines, close } = await openEngines(federation);
  try {
    const answers: unknown[] = [];
    for (const { engine } of engines) {
      const result = await prepareOrThrow(engine, text).execute(variables, context);
      const errors = result.errors?.map(({ message, path, extensions: { code } }) => ({
        message,
        path,
        code,
      }));
      answers.push(JSON.parse(JSON.stringify({ data: result.data, errors })));
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    return answers[0];
  } finally {
    await close();
  }
}

function engineOf(federation: Federation, replaced: Record<string, Transport> = {}) {
  const transports = { ...localTransports(federation, true), ...replaced };
  return createEngine({ supergraphSdl: federation.supergraphSdl, transports });
}

const people: SubgraphSource = {
  typeDefs: `
    type Query { me: User! users: [User!] nobody: User }
    type User @key(fields: "id") { id: ID! name: String }
  `,
  resolvers: {
    Query: {
      me: () => ({ id: '1', name: 'Ada' }),
      users: () => [
        { id: '1', name: 'Ada' },
        { id: '2', name: 'Bob' },
        { id: '1', name: 'Ada' },
      ],
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

describe('hidden parts of the supergraph', () => {
  const federation = composeFederation({
    store: {
      typeDefs: `
        type Query { item: Item items: [Thing] status: Status statuses: [Status!] secret: String @inaccessible }
        enum Status { ON OFF INTERNAL @inaccessible }
        type Item { id: ID cost: Int @inaccessible secret: Hidden @inaccessible }
        type Hidden @inaccessible { x: Int }
        union Thing = Item | Hidden
      `,
      resolvers: {
        Query: {
          item: () => ({ id: '1', cost: 5 }),
          items: () => [
            { __typename: 'Item', id: '1' },
            { __typename: 'Hidden', x: 1 },
          ],
          status: () => 'INTERNAL',
          statuses: () => ['ON', 'INTERNAL'],
        },
      },
    },
  });

  test('the API schema does not have them', () => {
    const { apiSchema } = engineOf(federation);
    const text = printSchema(apiSchema);
    expect(text).not.toMatch(/secret|cost|Hidden|INTERNAL|join__|@/);
    expect(text).toContain('union Thing = Item');
  });

  test('operations that name them are invalid', () => {
    const engine = engineOf(federation);
    for (const text of [
      '{ secret }',
      '{ item { cost } }',
      '{ items { ... on Hidden { x } } }',
      '{ __type(name: 1) { name } }',
    ]) {
      expect(engine.prepare(text)).toHaveProperty('errors');
    }
  });

  test('a hidden enum value becomes null, passed up where needed, and its name stays hidden', async () => {
    expect(await answer(federation, '{ status statuses }')).toEqual({
      data: { status: null, statuses: null },
      errors: [
        { message: 'Enum "Status" cannot represent the value of the subgraph.', path: ['status'] },
        { message: 'Enum "Status" cannot represent the value of the subgraph.', path: ['statuses', 1] },
      ],
    });
  });

  test('an object of a hidden type becomes null', async () => {
    expect(await answer(federation, '{ items { __typename ... on Item { id } } }')).toEqual({
      data: { items: [{ __typename: 'Item', id: '1' }, null] },
    });
  });

  test('introspection does not show them', async () => {
    const result = await answer(
      federation,
      '{ __type(name: "Hidden") { name } item: __type(name: "Item") { fields { name } } }',
    );
    expect(result).toEqual({ data: { __type: null, item: { fields: [{ name: 'id' }] } } });
  });
});

describe('directives for servers', () => {
  const federation = composeFederation({
    guarded: {
      typeDefs: `
        extend schema
          @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@composeDirective"])
          @link(url: "https://guards.example/guard/v1.0", import: ["@needs", "@limits"])
          @composeDirective(name: "@needs") @composeDirective(name: "@limits")
        directive @needs(right: Right!) repeatable on FIELD_DEFINITION | OBJECT
        directive @limits(arrays: Int, bodyBytes: Int, timeoutMs: Int) on FIELD_DEFINITION
        enum Right { READ WRITE }
        enum Shared { A B }
        type Query {
          open(ids: [ID!]): Shared @needs(right: READ) @needs(right: WRITE)
          slow(ids: [ID!]): Int @limits(arrays: 1000, bodyBytes: 1048576, timeoutMs: 15000)
        }
      `,
      resolvers: {},
    },
  });

  test('are in the supergraph and not in the API schema, nor are the enums that only they use', () => {
    const { apiSchema, supergraph } = engineOf(federation);
    expect(printSchema(apiSchema)).not.toMatch(/needs|limits|Right|READ/);
    expect(apiSchema.getType('Shared')).toBeDefined();
    const open = supergraph
      .getQueryType()
      ?.getFields()
      .open?.astNode?.directives?.map((node) => node.name.value);
    expect(open?.filter((name) => name === 'needs')).toHaveLength(2);
  });

  test('@limits of a root field reaches the transport, the variables and the prepared operation', async () => {
    const options: (CompileOptions | undefined)[] = [];
    const local = createLocalTransport(federation.schemas.guarded as GraphQLSchema);
    const transport: Transport = {
      ...local,
      compile(document, text, operationType, compileOptions) {
        options.push(compileOptions);
        return local.compile(document, text, operationType, compileOptions);
      },
    };
    const engine = engineOf(federation, { guarded: transport });
    const slow = prepareOrThrow(engine, 'query ($ids: [ID!]) { slow(ids: $ids) }');
    expect(options[0]?.timeoutMs).toBe(15_000);
    expect(slow.rootFieldLimits).toEqual({ arrays: 1000, bodyBytes: 1_048_576, timeoutMs: 15_000 });
    expect((await slow.execute({ ids: Array(1000).fill('1') }, {})).errors).toBeUndefined();
    const open = prepareOrThrow(engine, 'query ($ids: [ID!]) { open(ids: $ids) }');
    expect((await open.execute({ ids: Array(251).fill('1') }, {})).errors?.[0]?.extensions.code).toBe(
      'BAD_USER_INPUT',
    );
  });
});

describe('fields that moved or are known by interface only', () => {
  test('a field taken over with @override is asked of its new subgraph', async () => {
    const federation = composeFederation({
      old: {
        typeDefs: 'type Query { item: Item } type Item @key(fields: "id") { id: ID! price: Int }',
        resolvers: {
          Query: { item: () => ({ id: '1', price: 1 }) },
          Item: { __resolveReference: (row: Row) => row },
        },
      },
      new: {
        typeDefs: 'type Item @key(fields: "id") { id: ID! price: Int @override(from: "old") }',
        resolvers: { Item: { __resolveReference: ({ id }: Row) => ({ id, price: 2 }) } },
      },
    });
    expect(await answer(federation, '{ item { id price } }')).toEqual({
      data: { item: { id: '1', price: 2 } },
    });
  });

  const media = composeFederation({
    library: {
      typeDefs: `
        type Query { found: Media }
        interface Media @key(fields: "id") { id: ID! title: String }
        type Book implements Media @key(fields: "id") { id: ID! title: String pages: Int }
        type Film implements Media @key(fields: "id") { id: ID! title: String minutes: Int }
      `,
      resolvers: {
        Query: { found: () => ({ __typename: 'Film', id: 'f1', title: 'Film f1', minutes: 90 }) },
        Media: {
          __resolveReference: ({ id }: Row) =>
            String(id).startsWith('b')
              ? { __typename: 'Book', id, title: `Book ${String(id)}`, pages: 100 }
              : { __typename: 'Film', id, title: `Film ${String(id)}`, minutes: 90 },
        },
        Book: { __resolveReference: ({ id }: Row) => ({ id, title: `Book ${String(id)}`, pages: 100 }) },
        Film: { __resolveReference: ({ id }: Row) => ({ id, title: `Film ${String(id)}`, minutes: 90 }) },
      },
    },
    ratings: {
      typeDefs: `
        type Query { best: [Media] }
        type Media @key(fields: "id") @interfaceObject { id: ID! score: Int }
      `,
      resolvers: {
        Query: {
          best: () => [
            { id: 'b1', score: 9 },
            { id: 'f2', score: 8 },
          ],
        },
        Media: { __resolveReference: ({ id }: Row) => ({ id, score: 5 }) },
      },
    },
  });

  test('an object that one subgraph knows by its interface gets its type from the other', async () => {
    const text = '{ best { __typename id score title ... on Book { pages } ... on Film { minutes } } }';
    expect(await answer(media, text)).toEqual({
      data: {
        best: [
          { __typename: 'Book', id: 'b1', score: 9, title: 'Book b1', pages: 100 },
          { __typename: 'Film', id: 'f2', score: 8, title: 'Film f2', minutes: 90 },
        ],
      },
    });
    expect(await answer(media, '{ best { score } }')).toEqual({
      data: { best: [{ score: 9 }, { score: 8 }] },
    });
  });

  test('and the other way round, interface fields of the one extend objects of the other', async () => {
    expect(await answer(media, '{ found { __typename score ... on Film { minutes } } }')).toEqual({
      data: { found: { __typename: 'Film', score: 5, minutes: 90 } },
    });
  });
});

describe('root fields below the root', () => {
  const federation = composeFederation({
    one: {
      typeDefs:
        'type Query { again: Query many: [Query!] a: Int } type Mutation { add: Payload } type Payload { query: Query }',
      resolvers: {
        Query: { again: () => ({}), many: () => [{}, {}], a: () => 1 },
        Mutation: { add: () => ({ query: {} }) },
      },
    },
    two: {
      typeDefs:
        'type Query { b(x: Int): Int bad: Int me: User } type User @key(fields: "id") { id: ID! tags: [Tag] } type Tag { t: Int }',
      resolvers: {
        Query: {
          b: (_: never, { x }: Row) => x ?? 2,
          bad: () => {
            throw new GraphQLError('bad');
          },
          me: () => ({ id: '1', tags: [{ t: 1 }] }),
        },
      },
    },
    three: {
      typeDefs: 'type User @key(fields: "id") { id: ID! name: String }',
      resolvers: { User: { name: () => 'Ada' } },
    },
  });

  test('are fetched from the subgraph that owns them, with their entities', async () => {
    expect(await answer(federation, 'query ($x: Int) { again { a b(x: $x) } b }', { x: 5 })).toEqual({
      data: { again: { a: 1, b: 5 }, b: 2 },
    });
    const me = { name: 'Ada', tags: [{ t: 1 }] };
    expect(await answer(federation, '{ again { again { __typename me { name tags { t } } } } }')).toEqual({
      data: { again: { again: { __typename: 'Query', me } } },
    });
  });

  test('also after a mutation, and at several places at once', async () => {
    expect(await answer(federation, 'mutation { add { query { a b } } }')).toEqual({
      data: { add: { query: { a: 1, b: 2 } } },
    });
    const me = { name: 'Ada', tags: [{ t: 1 }] };
    expect(await answer(federation, '{ many { me { name tags { t } } } }')).toEqual({
      data: { many: [{ me }, { me }] },
    });
  });

  test('their errors stand at every place', async () => {
    expect(await answer(federation, '{ many { a bad } }')).toEqual({
      data: {
        many: [
          { a: 1, bad: null },
          { a: 1, bad: null },
        ],
      },
      errors: [0, 1].map((i) => ({ message: 'bad', path: ['many', i, 'bad'] })),
    });
    const away = answeringTransport(() => ({
      errors: [{ message: 'away', extensions: { code: 'UPSTREAM_UNAVAILABLE' } }],
    }));
    const result = await prepareOrThrow(engineOf(federation, { two: away }), '{ many { a b } }').execute(
      {},
      {},
    );
    expect(result.data).toEqual({
      many: [
        { a: 1, b: null },
        { a: 1, b: null },
      ],
    });
    expect(result.errors?.map(({ path }) => path)).toEqual([['many', 0, 'b']]);
  });
});

describe('mutations', () => {
  function createLedger() {
    const log: string[] = [];
    let count = 0;
    const federation = composeFederation({
      accounts: {
        typeDefs: `
          type Query { me: User }
          type Mutation { rename(name: String!): User touch(n: Int): Int must(fail: Boolean): User! }
          type User @key(fields: "id") { id: ID! name: String }
        `,
        resolvers: {
          Mutation: {
            rename: async (_: never, { name }: Row) => {
              log.push(`rename ${String(name)}`);
              return { id: '1', name };
            },
            touch: (_: never, { n }: Row) => {
              log.push(`touch ${String(n)}`);
              return n;
            },
            must: (_: never, { fail }: Row) => {
              log.push('must');
              return fail === true ? null : { id: '1', name: 'x' };
            },
          },
        },
      },
      entries: {
        typeDefs: `
          type Query { entry: Int }
          type Mutation { add: Entry! }
          type User @key(fields: "id") { id: ID! entries: Int! }
          type Entry { owner: User }
        `,
        resolvers: {
          Mutation: {
            add: async () => {
              log.push(`add ${++count}`);
              return { owner: { id: '1' } };
            },
          },
          User: {
            __resolveReference: ({ id }: Row) => ({ id }),
            entries: async () => {
              log.push(`count ${count}`);
              return count;
            },
          },
        },
      },
    });
    return { federation, log };
  }

  test('each root field is complete, with its entities, before the next begins', async () => {
    const { federation, log } = createLedger();
    const text =
      'mutation { a: rename(name: "a") { entries } x: add { owner { name entries } } b: rename(name: "b") { entries } y: add { owner { id } } }';
    const result = await prepareOrThrow(engineOf(federation), text).execute({}, {});
    expect(JSON.parse(JSON.stringify(result.data))).toMatchObject({
      a: { entries: 0 },
      x: { owner: { entries: 1 } },
      b: { entries: 1 },
    });
    expect(log.filter((line) => !line.startsWith('count'))).toEqual([
      'rename a',
      'add 1',
      'rename b',
      'add 2',
    ]);
    expect(Object.keys(result.data ?? {})).toEqual(['a', 'x', 'b', 'y']);
  });

  test('root fields of two subgraphs alternate in order', async () => {
    const { federation, log } = createLedger();
    const text = 'mutation { one: touch(n: 1) add { __typename } two: touch(n: 2) __typename }';
    expect(await answer(federation, text)).toEqual({
      data: { one: 1, add: { __typename: 'Entry' }, two: 2, __typename: 'Mutation' },
    });
    expect(log.slice(0, 3)).toEqual(['touch 1', 'add 1', 'touch 2']);
  });

  test('one request to one subgraph stays one request', async () => {
    const { federation } = createLedger();
    const counted = countRequests(localTransports(federation, true).accounts as Transport);
    await prepareOrThrow(
      engineOf(federation, { accounts: counted.transport }),
      'mutation { a: touch(n: 1) b: touch(n: 2) }',
    ).execute({}, {});
    expect(counted.sent).toHaveLength(1);
  });

  test('nothing follows a root field whose null has no place in the answer', async () => {
    const { federation, log } = createLedger();
    const text =
      'mutation { a: rename(name: "a") { entries } must(fail: true) { entries } add { owner { id } } }';
    const result = await prepareOrThrow(engineOf(federation), text).execute({}, {});
    expect(result.data).toBeNull();
    expect(result.errors?.[0]?.path).toEqual(['must']);
    expect(log).not.toContain('add 1');

    const plain = 'mutation { must(fail: true) { id } add { __typename } }';
    expect((await prepareOrThrow(engineOf(federation), plain).execute({}, {})).data).toBeNull();
    expect(log).not.toContain('add 1');
  });

  test('conditions choose among root fields', async () => {
    const { federation } = createLedger();
    const text =
      'mutation ($yes: Boolean!) { a: touch(n: 1) @skip(if: $yes) ...F add @include(if: $yes) { owner { name } } } fragment F on Mutation { b: touch(n: 2) }';
    expect(await answer(federation, text, { yes: true })).toMatchObject({
      data: { b: 2, add: { owner: { name: null } } },
    });
  });
});

describe('failures', () => {
  const federation = composeFederation({ people, posts });
  const away = answeringTransport(() => ({
    errors: [
      {
        message: 'The subgraph "posts" cannot be reached.',
        extensions: { code: 'UPSTREAM_UNAVAILABLE', serviceName: 'posts' },
      },
    ],
  }));
  const plainErrors = (errors: readonly GraphQLError[] | undefined) =>
    errors?.map(({ message, path, extensions }) => ({ message, path, extensions: { ...extensions } }));

  test('the rest of the answer stands, with one error that names the subgraph', async () => {
    const engine = engineOf(federation, { posts: away });
    const result = await prepareOrThrow(
      engine,
      '{ users { name bio } newest { title } nobody { bio } }',
    ).execute({}, {});
    expect(result.data).toEqual({
      users: [
        { name: 'Ada', bio: null },
        { name: 'Bob', bio: null },
        { name: 'Ada', bio: null },
      ],
      newest: null,
      nobody: null,
    });
    const extensions = { code: 'UPSTREAM_UNAVAILABLE', serviceName: 'posts' };
    const message = 'The subgraph "posts" cannot be reached.';
    expect(plainErrors(result.errors)).toEqual([
      { message, path: ['newest'], extensions },
      { message, path: ['users', 0, 'bio'], extensions },
    ]);
  });

  test('a null that the failure explains is not reported again', async () => {
    const engine = engineOf(federation, { posts: away });
    const result = await prepareOrThrow(engine, '{ users { name posts { title } } }').execute({}, {});
    expect(result.data).toEqual({ users: null });
    expect(result.errors).toHaveLength(1);
    const root = await prepareOrThrow(engine, '{ me { posts { title } } }').execute({}, {});
    expect(root.data).toBeNull();
    expect(root.errors).toHaveLength(1);
  });

  test('an error of an entity is reported wherever the entity stands, with its extensions', async () => {
    const result = await prepareOrThrow(engineOf(federation), '{ u: users { b: bio } }').execute({}, {});
    expect(result.data).toEqual({ u: [{ b: null }, { b: 'bio' }, { b: null }] });
    const extensions = { code: 'NO_BIO', http: { status: 403 } };
    expect(plainErrors(result.errors)).toEqual([
      { message: 'no bio', path: ['u', 0, 'b'], extensions },
      { message: 'no bio', path: ['u', 2, 'b'], extensions },
    ]);
  });

  test('an entity that the other subgraph does not know is null, or an error where it may not be', async () => {
    const unknown = engineOf(federation, {
      posts: answeringTransport(() => ({ data: { _entities: [null, null] } })),
    });
    const optional = await prepareOrThrow(unknown, '{ users { bio } }').execute({}, {});
    expect(optional).toEqual({ data: { users: [{ bio: null }, { bio: null }, { bio: null }] } });
    const required = await prepareOrThrow(unknown, '{ me { name } users { posts { title } } }').execute(
      {},
      {},
    );
    expect(required.data).toEqual({ me: { name: 'Ada' }, users: null });
    expect(plainErrors(required.errors)).toEqual([
      {
        message: 'Cannot return null for non-nullable field User.posts.',
        path: ['users', 0, 'posts'],
        extensions: {},
      },
    ]);
  });

  test.each([
    ['too few entities', { _entities: [{ bio: 'x' }] }],
    ['entities that are no list', { _entities: { bio: 'x' } }],
    ['no entities', {}],
  ])('an answer with %s is an error of the subgraph', async (_title, data) => {
    const engine = engineOf(federation, { posts: answeringTransport(() => ({ data })) });
    const result = await prepareOrThrow(engine, '{ users { name bio } }').execute({}, {});
    expect(result.data).toEqual({
      users: [
        { name: 'Ada', bio: null },
        { name: 'Bob', bio: null },
        { name: 'Ada', bio: null },
      ],
    });
    expect(plainErrors(result.errors)).toEqual([
      {
        message: 'The subgraph "posts" gave a malformed answer.',
        path: ['users', 0, 'bio'],
        extensions: { code: 'UPSTREAM_ERROR', serviceName: 'posts' },
      },
    ]);
  });

  test('a transport that throws, or rejects, is an error without its words', async () => {
    for (const broken of [
      () => {
        throw new Error('10.0.0.1 refused');
      },
      () => Promise.reject(new Error('10.0.0.1 refused')),
    ]) {
      const engine = engineOf(federation, { posts: { conforming: false, compile: () => broken } });
      const result = await prepareOrThrow(engine, '{ me { name } newest { title } }').execute({}, {});
      expect(result.data).toEqual({ me: { name: 'Ada' }, newest: null });
      expect(JSON.stringify(result.errors)).not.toContain('10.0.0.1');
      expect(result.errors?.[0]?.extensions).toEqual({ code: 'UPSTREAM_ERROR', serviceName: 'posts' });
    }
  });

  test('members that nobody asked for do not reach the client, and wrong types become null', async () => {
    const intruding = answeringTransport(() => ({
      data: JSON.parse(
        '{"newest":{"title":"t","secret":1,"author":[1],"__proto__":{"admin":true}},"extra":2}',
      ) as Row,
    }));
    const engine = engineOf(federation, { posts: intruding });
    const result = await prepareOrThrow(engine, '{ newest { title author { id } } }').execute({}, {});
    expect(result.data).toEqual({ newest: { title: 't', author: null } });
    expect(({} as Row).admin).toBeUndefined();
  });

  test('an entity whose required values are missing is not asked for, and that is said', async () => {
    const incomplete = answeringTransport(() => ({ data: { users: [{ __typename: 'User', name: 'Ada' }] } }));
    const counted = countRequests(localTransports(federation, true).posts as Transport);
    const engine = engineOf(federation, { people: incomplete, posts: counted.transport });
    const result = await prepareOrThrow(engine, '{ users { name bio } }').execute({}, {});
    expect(result.data).toEqual({ users: [{ name: 'Ada', bio: null }] });
    expect(result.errors?.[0]?.extensions.code).toBe('UPSTREAM_ERROR');
    expect(counted.sent).toEqual([]);
  });

  test('without data and errors from any subgraph the answer is null where it may be', async () => {
    const silent = answeringTransport(() => ({}));
    const result = await prepareOrThrow(
      engineOf(federation, { posts: silent }),
      '{ newest { title } }',
    ).execute({}, {});
    expect(result.data).toEqual({ newest: null });
  });
});

describe('values and contexts', () => {
  test('values of custom scalars pass untouched, even when two subgraphs answer them', async () => {
    const shared = Object.freeze({ list: Object.freeze([Object.freeze({ n: 1 })]) });
    const json = (serialize: (value: unknown) => unknown) =>
      new GraphQLScalarType({ name: 'Json', serialize });
    const federation = composeFederation({
      one: {
        typeDefs:
          'scalar Json type Query { item: Item } type Item @key(fields: "id") { id: ID! meta: Json @shareable }',
        resolvers: {
          Json: json((value) => value),
          Query: { item: () => ({ id: '1', meta: shared }) },
          Item: { __resolveReference: (row: Row) => row },
        },
      },
      two: {
        typeDefs:
          'scalar Json type Item @key(fields: "id") { id: ID! meta: Json @shareable more: Json needs: String @requires(fields: "meta") }'.replace(
            'meta: Json @shareable',
            'meta: Json @external',
          ),
        resolvers: {
          Json: json((value) => value),
          Item: {
            __resolveReference: (row: Row) => row,
            more: () => shared,
            needs: ({ meta }: Row) => JSON.stringify(meta),
          },
        },
      },
    });
    const result = await prepareOrThrow(engineOf(federation), '{ item { meta more needs } }').execute({}, {});
    expect(result.errors).toBeUndefined();
    const item = (result.data ?? {}).item as Row;
    expect(item.meta).toBe(shared);
    expect(item.needs).toBe('{"list":[{"n":1}]}');
  });

  test('every resolver of a request sees the same context object', async () => {
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
    await prepareOrThrow(engineOf(federation), '{ me { mood } }').execute({}, context);
    expect(seen).toHaveLength(2);
    expect(seen.every((value) => value === context)).toBe(true);
  });

  test('fetches can be observed', async () => {
    const federation = composeFederation({ people, posts });
    const observed: string[] = [];
    const engine = createEngine({
      supergraphSdl: federation.supergraphSdl,
      transports: localTransports(federation, true),
      observeFetch: ({ serviceName, operationType }) => {
        observed.push(`begin ${operationType} ${serviceName}`);
        return (result) => observed.push(`end ${serviceName} ${result.errors?.length ?? 0}`);
      },
    });
    await prepareOrThrow(engine, '{ me { bio } }').execute({}, {});
    expect(observed).toEqual(['begin query people', 'end people 0', 'begin query posts', 'end posts 1']);
  });
});

describe('building an engine', () => {
  const federation = composeFederation({ people, posts });

  test('needs a transport for every subgraph', () => {
    const { people: only } = localTransports(federation, true);
    expect(() =>
      createEngine({ supergraphSdl: federation.supergraphSdl, transports: { people: only as Transport } }),
    ).toThrow('There is no transport for the subgraphs: posts.');
  });

  test('refuses text that is no supergraph', () => {
    expect(() => createEngine({ supergraphSdl: 'type Query {', transports: {} })).toThrow(GraphQLError);
  });
});
