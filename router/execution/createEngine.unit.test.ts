import fc from 'fast-check';
import { execute, type GraphQLError, OperationTypeNode, parse, validate } from 'graphql';
import type { Engine } from './createEngine.ts';
import { compareAnswers } from './fixture/compareAnswers.ts';
import { openEngines, prepareOrThrow } from './fixture/federationFixture.ts';
import { randomOperation } from './fixture/randomOperation.ts';
import { createShop } from './fixture/shopFixture.ts';

const shop = createShop();
const opened = await openEngines(shop.federation);

afterAll(async () => {
  for (const { engine } of opened.engines) engine.close();
  await opened.close();
});

/** One line per way to the subgraphs whose answer is not that of the one schema. */
async function differences(text: string, variables: Record<string, unknown> = {}): Promise<string[]> {
  const document = parse(text);
  const expected = await execute({ schema: shop.monolith, document, variableValues: variables });
  const found: string[] = [];
  for (const { way, engine } of opened.engines) {
    const actual = await prepareOrThrow(engine, text).execute(variables, {});
    const difference = compareAnswers(expected, actual);
    if (difference !== null) found.push(`${way}: ${difference}`);
  }
  return found;
}

const operations: readonly [string, string, Record<string, unknown>?][] = [
  ['one subgraph', '{ me { id name home { city zip } } }'],
  ['a join by key', '{ me { name reviews { stars text } } }'],
  [
    'a join over three subgraphs',
    '{ users { name reviews { text about { title stock maker { email } } } } }',
  ],
  ['a composite key', '{ products { title reviews { stars author { level } } } }'],
  [
    'values required from another subgraph',
    '{ products { shipping } me { greeting } users(first: 3) { greeting } }',
  ],
  ['arguments of a field with requirements', '{ products { shipping(express: true) normal: shipping } }'],
  ['a provided field', '{ product(upc: "p1") { reviews { author { name } } } }'],
  ['an interface whose fields live in two subgraphs', '{ items { title reviews { stars } } }'],
  [
    'an interface and its types',
    '{ items { __typename title ... on Product { price stock } ... on Bundle { parts { title } discount } } }',
  ],
  [
    'a union over subgraphs',
    '{ search { ... on User { name score } ... on Product { title rating reviews { id } } ... on Bundle { id reviews { id } } } }',
  ],
  [
    'one response name for different fields of a union',
    '{ search { ... on User { x: name y: score } ... on Product { x: title y: shipping } ... on Bundle { x: title } } }',
  ],
  [
    'an interface as a field’s type',
    '{ users(first: 3) { favorite { title ... on Bundle { parts { upc } } } } }',
  ],
  ['nested lists', '{ products { tags } users { friends { friends { name } } } }'],
  ['aliases', '{ first: user(id: "1") { label: name } second: user(id: "2") { label: email } }'],
  [
    'one entity at several places with different fields',
    '{ me { name friends { email } } users { id reviews { author { level } } } latest { ... on Product { maker { home { city } } } } }',
  ],
  [
    'different arguments for one entity at two places',
    '{ me { r: reviews(first: 1) { id } friends { friends { r: reviews(first: 2) { id } } } } }',
  ],
  [
    'named fragments',
    '{ me { ...A } users { ...A ...B } } fragment A on User { name ...B } fragment B on User { reviews { ...C } } fragment C on Review { about { title } }',
  ],
  ['fragments that can never apply', '{ items { ... on Product { ... on Item { ... on Bundle { id } } } } }'],
  ['nothing but what is skipped', '{ me @skip(if: true) { name } }'],
  [
    'an object of which everything is skipped',
    '{ me { name @skip(if: true) } missing: user(id: "9") { name @include(if: false) } }',
  ],
  ['repeated fields', '{ me { name name: name id } me { id email } }'],
  [
    '__typename everywhere',
    '{ __typename me { __typename reviews { __typename about { __typename } } } items { __typename } }',
  ],
  [
    '__typename under another name',
    '{ kind: __typename me { kind: __typename } items { kind: __typename title } }',
  ],
  [
    'introspection',
    '{ __schema { queryType { name } } __type(name: "Review") { name fields { name type { name } } } }',
  ],
  [
    'introspection beside data, under names of fields',
    '{ name: __schema { id: queryType { title: name } } me { id } __typename }',
  ],
  [
    'an entity that does not exist',
    '{ user(id: "9") { name reviews { id } } product(upc: "9") { title stock } }',
  ],
  ['an error beside data', '{ users(first: 3) { name score } }'],
  ['errors of entities', '{ reviewed: latest { ... on Review { author { name score } } } }'],
  [
    'an error in a non-nullable field of an entity',
    '{ me { friends { name rank } } products { title stock } }',
  ],
  ['a null passed up to the root', '{ strict { name rank } }'],
  ['a null in a non-nullable root field', '{ strict(fail: true) { name } }'],
  [
    'a null passed up inside entities of a list',
    '{ items { title ... on Product { rating } ... on Bundle { parts { rating } } } }',
  ],
  [
    'literals of every kind',
    '{ echo(input: { upcs: ["a", "b"], level: BASIC, json: { x: [1, 2.5, "t", true, null, { y: E }] }, more: { n: 3, deep: [[1], null] } }, list: [1, 2], level: GOLD) }',
  ],
  ['defaults', '{ echo }'],
  [
    'variables',
    'query ($input: Filter, $list: [Int!], $level: Level = BASIC) { echo(input: $input, list: $list, level: $level) }',
    { input: { upcs: 'a', more: {}, json: { deep: [{}] } }, list: 3 },
  ],
  [
    'omitted variables',
    'query ($input: Filter, $text: String, $n: Int!) { a: echo(input: $input) b: echo(input: { text: $text, more: { n: $n } }) }',
    { n: 1 },
  ],
  [
    'null variables',
    'query ($input: Filter, $text: String) { a: echo(input: $input) b: echo(input: { text: $text }) }',
    { input: null, text: null },
  ],
  [
    'a variable named like the planner’s own',
    'query ($representations: Int) { me { reviews(first: $representations) { id } } }',
    { representations: 1 },
  ],
  [
    'variables in entity fetches',
    'query ($first: Int, $express: Boolean) { me { reviews(first: $first) { about { shipping(express: $express) } } } }',
    { first: 1, express: true },
  ],
  ['a variable of the wrong type', 'query ($list: [Int!]) { echo(list: $list) }', { list: ['x', null] }],
  ['a missing variable', 'query ($id: ID!) { user(id: $id) { name } }', {}],
];

describe('the router answers as one schema would', () => {
  for (const [title, text, variables] of operations) {
    test(title, async () => {
      expect(await differences(text, variables)).toEqual([]);
    });
  }

  test.each([true, false])('conditions that are %s', async (a) => {
    for (const b of [true, false]) {
      const text = `query ($a: Boolean!, $b: Boolean!) {
        me @include(if: $a) { name reviews @skip(if: $b) { text @include(if: $a) about { title } } }
        ... on Query @skip(if: $a) { items { title @include(if: $b) reviews { id } } }
        ...F @include(if: $b)
      }
      fragment F on Query { me { email greeting @skip(if: $a) } product(upc: "p1") { stock rating @include(if: $b) } }`;
      expect(await differences(text, { a, b })).toEqual([]);
    }
  });

  test('incremental delivery is declined: the answer comes whole', async () => {
    const whole = { data: { me: { name: 'Ada', email: 'ada@x' }, users: [{ id: '1' }] } };
    const text =
      '{ me { name ... @defer(label: "late") { email } } users(first: 1) @stream(initialCount: 0) { id } }';
    for (const { engine } of opened.engines) {
      const result = await prepareOrThrow(engine, text).execute({}, {});
      expect(JSON.parse(JSON.stringify(result))).toEqual(whole);
      expect(engine.apiSchema.getDirective('defer')).toBeUndefined();
    }
  });

  test('random operations, whatever the way to the subgraphs', async () => {
    const schema = opened.engines[0]?.engine.apiSchema;
    if (schema === undefined) throw new Error('no engine');
    // Two fields that this planner cannot reach through another entity; their operations are refused as a whole.
    const hasRequirement = (text: string) => /\b(greeting|shipping)\b/.test(text);
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(fc.gen(), async (draw) => {
        const { text, variables } = randomOperation(schema, OperationTypeNode.QUERY, (limit) =>
          draw(fc.nat, { max: limit - 1 }),
        );
        const document = parse(text);
        fc.pre(validate(schema, document).length === 0);
        const expected = await execute({ schema: shop.monolith, document, variableValues: variables });
        for (const { way, engine } of opened.engines) {
          const prepared = engine.prepare(text);
          if ('errors' in prepared) {
            if (hasRequirement(text)) return;
            throw new Error(`${prepared.errors[0]?.originalError?.message} :: ${text}`);
          }
          const actual = await prepared.execute(variables, {});
          if (isPlanFailure(actual.errors) && hasRequirement(text)) return;
          const difference = compareAnswers(expected, actual);
          if (difference !== null)
            throw new Error(`${way}: ${difference}\n${text}\n${JSON.stringify(variables)}`);
        }
        compared++;
      }),
      { numRuns: 300, endOnFailure: true },
    );
    expect(compared).toBeGreaterThan(150);
  }, 120_000);
});

function isPlanFailure(errors: readonly GraphQLError[] | undefined): boolean {
  return errors?.[0]?.extensions.code === 'QUERY_PLAN_FAILED';
}

function engineOf(way: string): Engine {
  const found = opened.engines.find((entry) => entry.way.includes(way))?.engine;
  if (found === undefined) throw new Error(way);
  return found;
}

describe('entities', () => {
  test('an entity that occurs often is loaded once', async () => {
    const text =
      '{ users(first: 3) { friends { reviews { id } } } items { ... on Bundle { parts { rating } } } }';
    shop.resolved.length = 0;
    await prepareOrThrow(engineOf('compiled'), text).execute({}, {});
    const keys = shop.resolved.map(
      ({ reference: { id, sku, brand } }) => id ?? `${String(sku)} ${JSON.stringify(brand)}`,
    );
    expect(keys.map(String).sort()).toEqual([
      '1',
      '2',
      '3',
      's1 {"id":"b1"}',
      's1 {"id":"b2"}',
      's2 {"id":"b1"}',
    ]);
  });

  test('an alias cannot choose which entity the next subgraph loads', async () => {
    const text = '{ me { id: email reviews { text } } products { sku: title upc: sku reviews { id } } }';
    shop.resolved.length = 0;
    expect(await differences(text)).toEqual([]);
    for (const { reference } of shop.resolved) {
      if (reference.__typename === 'User') expect(reference.id).toBe('1');
      else expect(['s1', 's2']).toContain(reference.sku);
    }
  });

  test('an alias cannot pretend another type', async () => {
    expect(
      await differences(
        '{ items { __typename: title reviews { id } } me { __typename: name favorite { title } } }',
      ),
    ).toEqual([]);
  });

  test('response names of object members are ordinary names', async () => {
    expect(
      await differences(
        '{ __proto__: me { constructor: name toString: reviews { __proto__: text hasOwnProperty: id } } valueOf: user(id: "9") { __proto__: id } }',
      ),
    ).toEqual([]);
    expect(({} as Record<string, unknown>).constructor).toBe(Object);
  });
});

describe('preparing', () => {
  const codes = (result: object) =>
    'errors' in result ? (result.errors as GraphQLError[]).map((error) => error.extensions.code) : [];

  test('refuses what cannot be executed, each with its code', async () => {
    const engine = engineOf('compiled');
    const refused: readonly [string, string, string?][] = [
      ['{ me {', 'GRAPHQL_PARSE_FAILED'],
      ['{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
      ['{ me { name(x: 1) } }', 'GRAPHQL_VALIDATION_FAILED'],
      ['query A { me { id } } query B { me { id } }', 'OPERATION_RESOLUTION_FAILURE'],
      ['query A { me { id } }', 'OPERATION_RESOLUTION_FAILURE', 'B'],
      ['fragment F on User { id }', 'GRAPHQL_VALIDATION_FAILED'],
      ['query ($__proto__: ID!) { user(id: $__proto__) { id } }', 'GRAPHQL_VALIDATION_FAILED'],
      [`{ ${'me { id } '.repeat(21)} }`, 'GRAPHQL_VALIDATION_FAILED'],
      ['{ users(first: 101) { id } }', 'BAD_USER_INPUT'],
    ];
    for (const [text, code, name] of refused) {
      expect([text, ...new Set(codes(await engine.prepareAsync(text, name)))]).toEqual([text, code]);
    }
  });

  test('a document with several operations executes the named one', async () => {
    const text = 'query A { me { id } } query B { me { name } }';
    const prepared = await engineOf('compiled').prepareAsync(text, 'B');
    if ('errors' in prepared) throw prepared.errors[0];
    expect(await prepared.execute(null, {})).toEqual({ data: { me: { name: 'Ada' } } });
    expect(prepared.operationName).toBe('B');
  });

  test('tells root fields by name, whatever their alias, fragment or condition', () => {
    const text =
      'query ($c: Boolean!) { a: me { id } ...F b: me { name } } fragment F on Query { users @skip(if: $c) { id } __typename }';
    expect(prepareOrThrow(engineOf('compiled'), text).rootFields).toEqual(['me', 'users', '__typename']);
  });

  test('equal requests at one time are prepared once, and later ones come from the cache', async () => {
    const engine = engineOf('compiled');
    const text = '{ me { id level } }';
    const [first, second] = await Promise.all([engine.prepareAsync(text), engine.prepareAsync(text)]);
    expect(first).toBe(second);
    expect(await engine.prepareAsync(text)).toBe(first);
    expect(await engine.prepareAsync(parse(text))).not.toHaveProperty('errors');
  });

  test('a refused operation is judged again', async () => {
    const engine = engineOf('compiled');
    expect(await engine.prepareAsync('{ no }')).not.toBe(await engine.prepareAsync('{ no }'));
  });

  test('plans have a hash that depends on the plan only, and a text', () => {
    const engine = engineOf('compiled');
    const [first, second, other] = ['{ me { id } }', 'query Q { me { id: id } }', '{ me { name } }'].map(
      (text) => prepareOrThrow(engine, text),
    );
    expect(first?.planHash).toMatch(/^[0-9a-f]{16}$/);
    expect(second?.planHash).toBe(first?.planHash);
    expect(other?.planHash).not.toBe(first?.planHash);
    const text = engine.explain(prepareOrThrow(engine, '{ me { reviews { about { title } } } }'));
    expect(text).toMatch(/^Sequence\n {2}Fetch from accounts\n {4}\{me\{/);
    expect(text).toContain('At me.reviews.@.about');
    expect(text).toContain('with ... on User { __typename id }');
  });

  test('limits of variables hold for documents of our own, limits of documents do not', async () => {
    const engine = engineOf('compiled');
    const many = prepareOrThrow(
      engine,
      `{ ${Array.from({ length: 40 }, (_, i) => `a${i}: me { id }`).join(' ')} }`,
    );
    expect((await many.execute({}, {})).errors).toBeUndefined();
    const prepared = prepareOrThrow(
      engine,
      'query ($n: Int, $list: [Int!]) { users(first: $n) { id } echo(list: $list) }',
    );
    const errors = async (variables: Record<string, unknown>) =>
      (await prepared.execute(variables, {})).errors;
    expect(await errors({ n: 100 })).toBeUndefined();
    expect((await errors({ n: 101 }))?.[0]?.message).toContain('page of 101');
    expect((await errors({ list: Array(251).fill(1) }))?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });

  test('nothing more is fetched for a request that was given up', async () => {
    const client = new AbortController();
    const prepared = prepareOrThrow(engineOf('compiled'), '{ me { name reviews { id } } }');
    client.abort();
    const { data, errors } = await prepared.execute({}, { signal: client.signal });
    expect(data).toEqual({ me: null });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['UPSTREAM_TIMEOUT']);
  });

  test('an answer that waits for nothing is there at once', () => {
    const prepared = prepareOrThrow(engineOf('compiled'), '{ me { id name } }');
    expect(prepared.execute({}, {})).toEqual({ data: { me: { id: '1', name: 'Ada' } } });
  });
});
