import fc from 'fast-check';
import { execute, type GraphQLError, OperationTypeNode, parse, validate } from 'graphql';
import { compareAnswers } from '../../test/support/execution/compareAnswers.ts';
import {
  countRequests,
  engineOf,
  localTransports,
  mapValues,
  type OpenEngine,
  openEngines,
  prepareOrThrow,
} from '../../test/support/execution/federationFixture.ts';
import { randomOperation } from '../../test/support/execution/randomOperation.ts';
import { shop } from '../../test/support/execution/shopFixture.ts';
import { createSplit } from '../../test/support/execution/splitFixture.ts';
import { createEngine } from './createEngine.ts';

const { federation, monolith } = createSplit(shop);
const opened = await openEngines(federation);
const [{ engine: compiled }] = opened.engines as [OpenEngine];

afterAll(async () => {
  for (const { engine } of opened.engines) engine.close();
  await opened.close();
});

/** One line per way to the subgraphs whose answer is not that of the one schema. */
async function differences(text: string, variables: Record<string, unknown> = {}): Promise<string[]> {
  const document = parse(text);
  const expected = await execute({ schema: monolith, document, variableValues: variables });
  const found: string[] = [];
  for (const { way, engine } of opened.engines) {
    const actual = await (await prepareOrThrow(engine, text)).execute(variables, {});
    const difference = compareAnswers(expected, actual);
    if (difference !== null) found.push(`${way}: ${difference}`);
  }
  return found;
}

describe('a router answers as one schema would', () => {
  test.each([true, false])('to nested conditions, the outer of which are %s', async (a) => {
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

  test('without incremental delivery: the answer to @defer and @stream is whole', async () => {
    const whole = { data: { me: { name: 'Ada', email: 'ada@x' }, users: [{ id: '1' }] } };
    const text =
      '{ me { name ... @defer(label: "late") { email } } users(first: 1) @stream(initialCount: 0) { id } }';
    for (const { engine } of opened.engines) {
      const result = await (await prepareOrThrow(engine, text)).execute({}, {});
      expect(JSON.parse(JSON.stringify(result))).toEqual(whole);
      expect(engine.apiSchema.getDirective('defer')).toBeUndefined();
    }
  });

  test('to random operations', async () => {
    const schema = compiled.apiSchema;
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
        const expected = await execute({ schema: monolith, document, variableValues: variables });
        for (const { way, engine } of opened.engines) {
          const prepared = await engine.prepareKnown(text);
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
      { numRuns: 60, endOnFailure: true },
    );
    expect(compared).toBeGreaterThan(30);
  }, 120_000);
});

function isPlanFailure(errors: readonly GraphQLError[] | undefined): boolean {
  return errors?.[0]?.extensions.code === 'QUERY_PLAN_FAILED';
}

describe('entities', () => {
  /** The representations of entities that the subgraphs are sent. */
  async function representationsOf(text: string): Promise<Record<string, unknown>[]> {
    const counted = mapValues(localTransports(federation, true), countRequests);
    const transports = mapValues(counted, ({ transport }) => transport);
    const engine = engineOf(federation, { transports });
    await (await prepareOrThrow(engine, text)).execute({}, {});
    engine.close();
    // These operations have no variables of their own.
    const sent = Object.values(counted).flatMap(({ variables }) => variables);
    return sent.flatMap((variables) => Object.values(variables).flat() as Record<string, unknown>[]);
  }

  test('an entity that occurs often is loaded once', async () => {
    const sent = await representationsOf(
      '{ users(first: 3) { friends { reviews { id } } } items { ... on Bundle { parts { rating } } } }',
    );
    const keys = sent.map(({ id, sku, brand }) => id ?? `${String(sku)} ${JSON.stringify(brand)}`);
    const products = ['s1 {"id":"b1"}', 's1 {"id":"b2"}', 's2 {"id":"b1"}'];
    expect(keys.map(String).sort()).toEqual(['1', '2', '3', ...products]);
  });

  test('an alias cannot choose which entity the next subgraph loads', async () => {
    const text = '{ me { id: email reviews { text } } products { sku: title upc: sku reviews { id } } }';
    expect(await differences(text)).toEqual([]);
    const keys = (await representationsOf(text)).map(({ id, sku }) => String(id ?? sku));
    expect(keys.sort()).toEqual(['1', 's1', 's1', 's2']);
  });

  test.each([
    '{ items { __typename: title reviews { id } } me { __typename: name favorite { title } } }',
    '{ __proto__: me { constructor: name toString: reviews { __proto__: text hasOwnProperty: id } } valueOf: user(id: "9") { __proto__: id } }',
  ])('response names are only names: %s', async (text) => {
    expect(await differences(text)).toEqual([]);
    expect(({} as Record<string, unknown>).constructor).toBe(Object);
  });
});

describe('preparing', () => {
  const codes = (result: object) =>
    'errors' in result ? (result.errors as GraphQLError[]).map((error) => error.extensions.code) : [];

  test('an operation that cannot be executed is refused with a code of its own', async () => {
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
      expect([text, ...new Set(codes(await compiled.prepare(text, name)))]).toEqual([text, code]);
    }
  });

  test('a document with several operations executes the named one', async () => {
    const prepared = await prepareOrThrow(compiled, 'query A { me { id } } query B { me { name } }', 'B');
    expect(await prepared.execute(null, {})).toEqual({ data: { me: { name: 'Ada' } } });
    expect(prepared.operationName).toBe('B');
  });

  test('root fields are known by name, whatever their alias, fragment or condition', async () => {
    const text =
      'query ($c: Boolean!) { a: me { id } ...F b: me { name } } fragment F on Query { users @skip(if: $c) { id } __typename }';
    expect((await prepareOrThrow(compiled, text)).rootFields).toEqual(['me', 'users', '__typename']);
  });

  test('equal requests at one time are prepared once, and later ones come from the cache', async () => {
    const text = '{ me { id level } }';
    const [first, second] = await Promise.all([compiled.prepare(text), compiled.prepare(text)]);
    expect(first).toBe(second);
    expect(await compiled.prepare(text)).toBe(first);
    expect(await compiled.prepare(parse(text))).not.toHaveProperty('errors');
  });

  test('a refused operation is judged again', async () => {
    expect(await compiled.prepare('{ no }')).not.toBe(await compiled.prepare('{ no }'));
  });

  test('a prepared plan has a hash that depends on the plan only, and a text', async () => {
    const [first, second, other] = await Promise.all(
      ['{ me { id } }', 'query Q { me { id: id } }', '{ me { name } }'].map((text) =>
        prepareOrThrow(compiled, text),
      ),
    );
    expect(first?.planHash).toMatch(/^[0-9a-f]{16}$/);
    expect(second?.planHash).toBe(first?.planHash);
    expect(other?.planHash).not.toBe(first?.planHash);
    const text = compiled.explain(await prepareOrThrow(compiled, '{ me { reviews { about { title } } } }'));
    expect(text).toMatch(/^Sequence\n {2}Fetch from accounts\n {4}\{me\{/);
    expect(text).toContain('At me.reviews.@.about');
    expect(text).toContain('with ... on User { __typename id }');
  });

  test('limits of variables hold for documents of our own, limits of documents do not', async () => {
    const many = await prepareOrThrow(
      compiled,
      `{ ${Array.from({ length: 40 }, (_, i) => `a${i}: me { id }`).join(' ')} }`,
    );
    expect((await many.execute({}, {})).errors).toBeUndefined();
    const prepared = await prepareOrThrow(
      compiled,
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
    const prepared = await prepareOrThrow(compiled, '{ me { name reviews { id } } }');
    client.abort();
    const { data, errors } = await prepared.execute({}, { signal: client.signal });
    expect(data).toEqual({ me: null });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['UPSTREAM_TIMEOUT']);
  });

  test('an answer that waits for nothing is there at once', async () => {
    const prepared = await prepareOrThrow(compiled, '{ me { id name } }');
    expect(prepared.execute({}, {})).toEqual({ data: { me: { id: '1', name: 'Ada' } } });
  });
});

describe('a supergraph that demands more of its router', () => {
  const { supergraphSdl } = federation;
  const transports = localTransports(federation, true);
  const withLink = (link: string) =>
    supergraphSdl.replace('@link(url: "https://specs.apollo.dev/join', `${link}\n  $&`);

  test.each([
    [
      'contexts',
      withLink('@link(url: "https://specs.apollo.dev/context/v0.1", for: SECURITY)'),
      /uses @context and @fromContext/,
    ],
    [
      'arguments from a context',
      supergraphSdl.replace('greeting: String @join__field(graph: OPINIONS, ', '$&contextArguments: [], '),
      /uses @context and @fromContext/,
    ],
    [
      'progressive overrides',
      supergraphSdl.replace(
        'greeting: String @join__field(graph: OPINIONS, ',
        '$&overrideLabel: "percent(5)", ',
      ),
      /uses progressive @override \(label: "percent\(5\)"\)/,
    ],
    [
      'guards that no router would enforce',
      withLink('@link(url: "https://specs.apollo.dev/authenticated/v0.1", for: SECURITY)'),
      /^The supergraph uses https:\/\/specs.apollo.dev\/authenticated\/v0.1 for security, which a router must know/,
    ],
  ])('a supergraph that demands more of its router is refused with its reason: %s', (_, sdl, reason) => {
    expect(() => createEngine({ supergraphSdl: sdl, transports })).toThrow(reason);
  });
});
