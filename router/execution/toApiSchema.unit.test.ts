import { buildSchema, GraphQLError, lexicographicSortSchema, parse, printSchema } from 'graphql';
import {
  composeFederation,
  engineOf,
  type Federation,
  openEngines,
  prepareOrThrow,
} from '../../test/support/execution/federationFixture.ts';
import { toApiSchema } from './toApiSchema.ts';

/** Executes over every transport, and expects equal answers. */
async function executeAll(federation: Federation, text: string) {
  const { engines, close } = await openEngines(federation);
  try {
    const answers: unknown[] = [];
    for (const { engine } of engines) {
      const { data, errors } = await (await prepareOrThrow(engine, text)).execute({}, {});
      const plain = errors?.map(({ message, path }) => ({ message, path }));
      answers.push(JSON.parse(JSON.stringify({ data, errors: plain })));
    }
    for (const other of answers) expect(other).toEqual(answers[0]);
    return answers[0];
  } finally {
    await close();
  }
}

describe('the API schema', () => {
  test('has the types of all subgraphs and no types or directives of the federation', () => {
    const { supergraphSdl } = composeFederation({
      one: {
        typeDefs: `
          type Query { thing(id: ID = "1"): Thing }
          interface Named { name: String }
          type Thing implements Named @key(fields: "id") { id: ID! name: String @shareable }
        `,
        resolvers: {},
      },
      two: {
        typeDefs: `
          type Thing @key(fields: "id") { id: ID! name: String @shareable size(in: Unit = CM): Int }
          enum Unit { CM INCH }
        `,
        resolvers: {},
      },
    });
    const whole = buildSchema(`
      type Query { thing(id: ID = "1"): Thing }
      interface Named { name: String }
      type Thing implements Named { id: ID! name: String size(in: Unit = CM): Int }
      enum Unit { CM INCH }
    `);
    const api = toApiSchema(parse(supergraphSdl));
    expect(printSchema(lexicographicSortSchema(api))).toBe(printSchema(lexicographicSortSchema(whole)));
  });

  test('leaves out members with @inaccessible that the supergraph imports under another name', () => {
    const api = toApiSchema(
      parse(`
        schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/inaccessible/v0.2", as: "hidden") { query: Query }
        directive @hidden on FIELD_DEFINITION | OBJECT | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | ENUM_VALUE
        directive @link(url: String, as: String) repeatable on SCHEMA
        type Query { a(x: Int, y: Int @hidden): Int b: Secret @hidden c(input: In): E }
        type Secret @hidden { x: Int }
        input In { p: Int q: Int @hidden }
        enum E { ON OFF @hidden }
      `),
    );
    expect(printSchema(api)).toBe(
      'type Query {\n  a(x: Int): Int\n  c(input: In): E\n}\n\ninput In {\n  p: Int\n}\n\nenum E {\n  ON\n}',
    );
  });

  test('keeps deprecations, @oneOf, @specifiedBy and executable directives', () => {
    const api = toApiSchema(
      parse(`
        directive @cached(seconds: Int) on QUERY
        directive @guard on FIELD_DEFINITION
        type Query { a(by: By): When @deprecated(reason: "old") @guard b: Int }
        input By @oneOf { id: ID name: String }
        scalar When @specifiedBy(url: "https://example.com/when")
      `),
    );
    const text = printSchema(api);
    for (const kept of ['@deprecated(reason: "old")', '@oneOf', '@specifiedBy', 'directive @cached']) {
      expect(text).toContain(kept);
    }
    expect(text).not.toContain('guard');
  });

  test('cannot be created if the Query type has no accessible fields', () => {
    const supergraph = parse(
      'directive @inaccessible on FIELD_DEFINITION type Query { a: Int @inaccessible }',
    );
    expect(() => toApiSchema(supergraph)).toThrow(GraphQLError);
  });
});

describe('an inaccessible part of a supergraph', () => {
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

  test('is not in the API schema and cannot be selected', async () => {
    const engine = engineOf(federation);
    const text = printSchema(engine.apiSchema);
    expect(text).not.toMatch(/secret|cost|Hidden|INTERNAL|join__|@/);
    expect(text).toContain('union Thing = Item');
    for (const operation of ['{ secret }', '{ item { cost } }', '{ items { ... on Hidden { x } } }'])
      expect(await engine.prepareKnown(operation)).toHaveProperty('errors');
    const shown = '{ __type(name: "Hidden") { name } item: __type(name: "Item") { fields { name } } }';
    expect(await executeAll(federation, shown)).toEqual({
      data: { __type: null, item: { fields: [{ name: 'id' }] } },
    });
  });

  test('is null without its name if it is an enum value or the type of an object', async () => {
    const message = 'Enum "Status" cannot represent the value of the subgraph.';
    const text = '{ status statuses items { __typename ... on Item { id } } }';
    expect(await executeAll(federation, text)).toEqual({
      data: { status: null, statuses: null, items: [{ __typename: 'Item', id: '1' }, null] },
      errors: [
        { message, path: ['status'] },
        { message, path: ['statuses', 1] },
      ],
    });
  });
});

test('a composed type system directive and its enum are in the supergraph but not in the API schema', () => {
  const { apiSchema, supergraph } = engineOf(
    composeFederation({
      guarded: {
        typeDefs: `
          extend schema
            @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@composeDirective"])
            @link(url: "https://guards.example/guard/v1.0", import: ["@needs"])
            @composeDirective(name: "@needs")
          directive @needs(right: Right!) repeatable on FIELD_DEFINITION | OBJECT
          enum Right { READ WRITE }
          enum Shared { A B }
          type Query { open: Shared @needs(right: READ) @needs(right: WRITE) }
        `,
        resolvers: {},
      },
    }),
  );
  expect(printSchema(apiSchema)).not.toMatch(/needs|Right|READ/);
  expect(apiSchema.getType('Shared')).toBeDefined();
  const { directives } = supergraph.getQueryType()?.getFields().open?.astNode ?? {};
  expect(directives?.filter(({ name }) => name.value === 'needs')).toHaveLength(2);
});
