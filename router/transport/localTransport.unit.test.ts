import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  buildSchema,
  execute,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  OperationTypeNode,
  parse,
} from 'graphql';
import { isCompilable } from './isCompilable.ts';
import { createLocalTransport } from './localTransport.ts';
import type { CompileOptions, SubgraphResult } from './Transport.ts';

function buildShop(): GraphQLSchema {
  const schema = buildSchema(`
    scalar Json
    scalar Day
    enum Color { RED BLUE }
    input Patch { name: String note: String inner: Patch }
    input Plain { name: String note: String }
    input Page { size: Int! = 10 inner: Sizes }
    input Sizes { most: Int! = 3 }
    interface Animal { name: String }
    type Dog implements Animal { name: String bark: Int! }
    type Cat implements Animal { name: String lives: Int }
    union Pet = Dog | Cat
    type Box { id: ID! owner: Box later: Box json: Json method: Box color: Color }
    type Query {
      box: Box hard: Box! echo(patch: Patch, plain: Plain, sizes: [Sizes!], page: Page, day: Day, days: [Day!], color: Color): String
      animals: [Animal] pets: [Pet!] fail: String failLater: String seen: Boolean list: [Int!] where: Where
      }
      type Where { here: Where name: String seen: String }
    type Mutation { patch(patch: Patch): String first: String second: String }
    type Subscription { ticks(to: Int!): Int day(day: Day): Int }
  `);
  const set = (type: string, field: string, resolve: (...args: never[]) => unknown) => {
    const definition = (schema.getType(type) as GraphQLObjectType).getFields()[field];
    if (definition === undefined) throw new Error(field);
    definition.resolve = resolve as never;
  };
  const box = {
    id: 'b1',
    later: Promise.resolve({ id: 'b2' }),
    json: { a: [1] },
    color: 'RED',
    method: () => ({ id: 'b3' }),
  };
  const pets = [
    { __typename: 'Dog', name: 'Rex', bark: 1 },
    { __typename: 'Cat', name: 'Tom', lives: 9 },
  ];
  set('Query', 'box', () => box);
  set('Query', 'hard', () => null);
  set('Query', 'echo', (_: never, args: never) => JSON.stringify(args));
  set('Query', 'animals', () => pets);
  set('Query', 'pets', () => [...pets, { __typename: 'Dog', name: 'Mute', bark: null }]);
  set('Query', 'where', () => ({}));
  set('Where', 'here', () => ({}));
  const field = (_: never, __: never, ___: never, info: never) => (info as { fieldName: string }).fieldName;
  set('Where', 'name', field);
  set('Where', 'seen', field);
  set('Query', 'fail', () => {
    throw new GraphQLError('refused', { extensions: { code: 'FORBIDDEN', http: { status: 403 } } });
  });
  set('Query', 'failLater', () =>
    Promise.reject(Object.assign(new Error('later'), { extensions: { code: 'LATER' } })),
  );
  set('Query', 'seen', (_: never, __: never, context: never) => (context as { mark?: symbol }).mark === mark);
  set('Query', 'list', () => [1, null]);
  set('Mutation', 'patch', (_: never, args: never) => JSON.stringify(args));
  const day = schema.getType('Day') as { parseValue?: unknown; parseLiteral?: unknown };
  day.parseValue = (value: unknown) => {
    if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) throw new GraphQLError('no day');
    return new Date(value);
  };
  day.parseLiteral = (node: { value: string }) => new Date(node.value);
  const ticks = schema.getSubscriptionType()?.getFields().ticks;
  if (ticks === undefined) throw new Error('ticks');
  ticks.subscribe = async function* (_: unknown, { to }: { to: number }) {
    for (let i = 1; i <= to; i++) yield { ticks: i };
  };
  return schema;
}

const mark = Symbol('context');
const eager: CompileOptions = { eager: true };

async function run(text: string, variables: Record<string, unknown> = {}, options: CompileOptions = eager) {
  const schema = buildShop();
  const document = parse(text);
  const request = createLocalTransport(schema).compile(document, text, OperationTypeNode.QUERY, options);
  const result = await request(variables, { mark } as never);
  const context = { variableValues: variables, contextValue: { mark } };
  const reference = await execute({ schema: buildShop(), document, ...context });
  return { result, reference };
}

function plain(result: SubgraphResult) {
  const errors = result.errors?.map(({ message, path, extensions }) => ({
    message,
    path,
    extensions: { ...extensions },
  }));
  return JSON.parse(JSON.stringify({ data: result.data, errors })) as unknown;
}

describe('the local transport', () => {
  const documents: readonly [string, Record<string, unknown>][] = [
    ['{ box { id json color } }', {}],
    ['{ box { later { id } method { id } } }', {}],
    ['{ animals { __typename name ... on Dog { bark } ... on Cat { lives } } }', {}],
    ['{ pets { ... on Dog { name bark } } }', {}],
    ['{ hard { id } }', {}],
    ['{ fail failLater box { id } }', {}],
    ['{ list seen }', {}],
    ['query ($color: Color) { echo(color: $color) }', { color: 'BLUE' }],
    ['query ($plain: Plain) { echo(plain: $plain) }', { plain: { note: null } }],
    ['query ($plain: Plain) { echo(plain: $plain) }', {}],
    ['query ($day: Day) { echo(day: $day) }', { day: '2024-02-29' }],
    ['{ echo(day: "2024-02-29") }', {}],
    ['query ($yes: Boolean!) { box { id @include(if: $yes) color @skip(if: $yes) } }', { yes: true }],
    ['query ($no: Boolean!) { box @include(if: $no) { color } box { id } }', { no: false }],
    ['{ __proto__: box { constructor: id } }', {}],
    ['{ a_b: where { c: name } b: where { c_a: seen } }', {}],
    ['{ b: where { c_a: seen } a_b: where { c: name } }', {}],
    ['query ($name: String, $note: String) { echo(plain: { name: $name, note: $note }) }', { name: 'a' }],
    ['query ($patch: Patch) { echo(patch: $patch) }', { patch: { inner: { name: null } } }],
  ];

  test.each(documents)('returns the same answer as graphql-js for %s', async (text, variables) => {
    const { result, reference } = await run(text, variables);
    expect(plain(result)).toEqual(plain(reference as SubgraphResult));
  });

  test('answers a query with synchronous resolvers synchronously, with and without graphql-jit', () => {
    for (const jit of [true, false]) {
      const text = '{ box { id } }';
      const transport = createLocalTransport(buildShop(), { jit });
      const request = transport.compile(parse(text), text, OperationTypeNode.QUERY, eager);
      expect(request({}, {})).not.toBeInstanceOf(Promise);
    }
  });

  test('leaves out an input member of a mutation whose variable has no value', async () => {
    const text = 'mutation ($name: String, $note: String) { patch(patch: { name: $name, note: $note }) }';
    const transport = createLocalTransport(buildShop());
    const request = transport.compile(parse(text), text, OperationTypeNode.MUTATION, eager);
    expect((await request({ name: 'new' }, {})).data).toEqual({ patch: '{"patch":{"name":"new"}}' });
    expect((await request({ name: 'new', note: null }, {})).data).toEqual({
      patch: '{"patch":{"name":"new","note":null}}',
    });
  });

  test('refuses an invalid value of a custom scalar with BAD_USER_INPUT', async () => {
    const { result } = await run('query ($day: Day) { echo(day: $day) }', { day: 'tomorrow' });
    expect(result.data).toBeUndefined();
    expect(result.errors?.[0]?.extensions).toEqual({ code: 'BAD_USER_INPUT' });
    expect(result.errors?.[0]?.message).toContain('$day');
  });

  test('keeps the thrown error as the original error', async () => {
    const { result } = await run('{ failLater }');
    expect(result.errors?.[0]?.originalError?.message).toBe('later');
  });

  test('returns the same answer before and after it compiles an operation', async () => {
    const text = '{ box { id later { id } } fail }';
    const request = createLocalTransport(buildShop()).compile(parse(text), text, OperationTypeNode.QUERY);
    const answers: unknown[] = [];
    for (let i = 0; i < 12; i++) answers.push(plain(await request({}, {})));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  test('uses the default of a non-null input member that a variable leaves out', async () => {
    const text = 'query ($page: Page) { echo(page: $page) }';
    const request = createLocalTransport(buildShop()).compile(parse(text), text, OperationTypeNode.QUERY);
    const answers: unknown[] = [];
    for (let i = 0; i < 12; i++) answers.push(plain(await request({ page: { inner: {} } }, {})));
    const echo = '{"page":{"size":10,"inner":{"most":3}}}';
    expect(answers).toEqual(Array.from({ length: 12 }, () => ({ data: { echo } })));
  });

  test('delivers the events of a subscription, and refuses an invalid value with BAD_USER_INPUT', async () => {
    const transport = createLocalTransport(buildShop());
    const text = 'subscription ($to: Int!) { ticks(to: $to) }';
    const source = await transport.compileSubscription?.(parse(text), text)({ to: 3 }, {});
    const seen: unknown[] = [];
    if (source === undefined || !(Symbol.asyncIterator in source)) throw new Error('no events');
    for await (const event of source) seen.push(event.data?.ticks);
    expect(seen).toEqual([1, 2, 3]);

    const refused = 'subscription ($day: Day) { day(day: $day) }';
    const result = await transport.compileSubscription?.(parse(refused), refused)({ day: 'x' }, {});
    expect((result as SubgraphResult).errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT');
  });

  test('executes queries with graphql-js if code generation is disabled', () => {
    const here = (file: string) => JSON.stringify(fileURLToPath(new URL(file, import.meta.url)));
    const script = `
      import { buildSchema, parse } from 'graphql';
      import { createLocalTransport } from ${here('./localTransport.ts')};
      const schema = buildSchema('type Query { a: Int }');
      schema.getQueryType().getFields().a.resolve = () => 7;
      const request = createLocalTransport(schema).compile(parse('{ a }'), '{ a }', 'query', { eager: true });
      console.log(JSON.stringify(request({}, {})));
    `;
    const args = ['--disallow-code-generation-from-strings', '--input-type=module', '-e', script];
    const cwd = fileURLToPath(new URL('../..', import.meta.url));
    const env = { ...process.env, NODE_OPTIONS: '' };
    const output = execFileSync(process.execPath, args, { cwd, encoding: 'utf8', env });
    expect(JSON.parse(output)).toEqual({ data: { a: 7 } });
  });
});

describe('isCompilable', () => {
  const schema = buildShop();
  const twice = 'query ($a: Boolean!) { box @skip(if: $a) { id } box { color } }';
  const twiceByFragment =
    'query ($a: Boolean!) { ...F box { color @skip(if: $a) } } fragment F on Query { box { id } }';
  test.each([
    ['a variable inside an input literal', 'query ($a: String) { echo(plain: { name: $a }) }'],
    ['a variable whose type contains itself', 'query ($p: Patch) { echo(patch: $p) }'],
    ['a variable with a non-null member that has a default', 'query ($s: [Sizes!]) { echo(sizes: $s) }'],
    ['the response name __proto__', '{ __proto__: box { id } }'],
    ['response names with an underscore, whose paths are ambiguous', '{ a_b: box { id } }'],
    ['a condition on an object that is selected twice', twice],
    ['a condition on an object that is selected twice through a fragment', twiceByFragment],
    ['a literal that its custom scalar parses to a value of another type', '{ echo(day: "2024-01-01") }'],
    ['a default value of a custom scalar', 'query ($d: Day = "2024-01-01") { echo(day: $d) }'],
  ])('is false for %s', (_reason, text) => {
    expect(isCompilable(schema, parse(text))).toBe(false);
  });

  test.each([
    ['plain selections', '{ box { id owner { id } } }'],
    ['variables as arguments', 'query ($p: Plain, $c: Color) { echo(plain: $p, color: $c) }'],
    ['input literals without variables', '{ echo(plain: { name: "a", note: null }, color: RED) }'],
    ['conditions on objects that are selected once', 'query ($a: Boolean!) { box @skip(if: $a) { id } }'],
    ['abstract types', '{ pets { ... on Dog { bark } } animals { name } }'],
  ])('is true for %s', (_reason, text) => {
    expect(isCompilable(schema, parse(text))).toBe(true);
  });

  test('is true for a string that its custom scalar parses to a string, unless the scalar refuses it', async () => {
    const own = buildShop();
    (own.getType('Day') as { parseLiteral?: unknown }).parseLiteral = (node: { value: string }) => {
      if (!node.value.startsWith('2')) throw new GraphQLError('no day');
      return node.value.toUpperCase();
    };
    const document = parse('{ echo(day: "2024-w"), list: echo(days: ["2a", "2b"]) }');
    expect(isCompilable(own, document)).toBe(true);
    const request = createLocalTransport(own).compile(document, '', OperationTypeNode.QUERY, eager);
    const reference = await execute({ schema: own, document });
    expect(plain(await request({}, {}))).toEqual(plain(reference as SubgraphResult));
    expect(reference.data?.echo).toContain('2024-W');
    expect(isCompilable(own, parse('{ echo(day: "1999") }'))).toBe(false);
  });

  test('is false for abstract types that are resolved asynchronously', () => {
    const own = buildShop();
    (own.getType('Pet') as { resolveType?: unknown }).resolveType = async () => 'Dog';
    expect(isCompilable(own, parse('{ pets { __typename } }'))).toBe(false);
    expect(isCompilable(own, parse('{ box { id } }'))).toBe(true);
  });
});
