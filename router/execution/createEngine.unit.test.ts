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

/** One line for each transport whose answer differs from that of the one schema. */
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

describe('an engine over several subgraphs', () => {
  test.each([true, false])(
    'returns the answer of one schema for nested conditions whose outer conditions are %s',
    async (a) => {
      for (const b of [true, false]) {
        const text = `query ($a: Boolean!, $b: Boolean!) {
        me @include(if: $a) { name reviews @skip(if: $b) { text @include(if: $a) about { title } } }
        ... on Query @skip(if: $a) { items { title @include(if: $b) reviews { id } } }
        ...F @include(if: $b)
      }
      fragment F on Query { me { email greeting @skip(if: $a) } product(upc: "p1") { stock rating @include(if: $b) } }`;
        expect(await differences(text, { a, b })).toEqual([]);
      }
    },
  );

  test('returns the whole answer for @defer and @stream', async () => {
    const whole = { data: { me: { name: 'Ada', email: 'ada@x' }, users: [{ id: '1' }] } };
    const text =
      '{ me { name ... @defer(label: "late") { email } } users(first: 1) @stream(initialCount: 0) { id } }';
    for (const { engine } of opened.engines) {
      const result = await (await prepareOrThrow(engine, text)).execute({}, {});
      expect(JSON.parse(JSON.stringify(result))).toEqual(whole);
      expect(engine.apiSchema.getDirective('defer')).toBeUndefined();
    }
  });

  test('returns the answers of one schema for random operations', async () => {
    const schema = compiled.apiSchema;
    // The planner cannot reach these two fields through another entity, so their operations are refused.
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

describe('an engine that joins entities', () => {
  /** The entity representations that the engine sends to subgraphs. */
  async function representationsOf(text: string): Promise<Record<string, unknown>[]> {
    const counted = mapValues(localTransports(federation, true), countRequests);
    const transports = mapValues(counted, ({ transport }) => transport);
    const engine = engineOf(federation, { transports });
    await (await prepareOrThrow(engine, text)).execute({}, {});
    engine.close();
    // The operations have no variables, so all variables are representations.
    const sent = Object.values(counted).flatMap(({ variables }) => variables);
    return sent.flatMap((variables) => Object.values(variables).flat() as Record<string, unknown>[]);
  }

  test('loads an entity that occurs several times once', async () => {
    const sent = await representationsOf(
      '{ users(first: 3) { friends { reviews { id } } } items { ... on Bundle { parts { rating } } } }',
    );
    const keys = sent.map(({ id, sku, brand }) => id ?? `${String(sku)} ${JSON.stringify(brand)}`);
    const products = ['s1 {"id":"b1"}', 's1 {"id":"b2"}', 's2 {"id":"b1"}'];
    expect(keys.map(String).sort()).toEqual(['1', '2', '3', ...products]);
  });

  test('loads the same entities if aliases replace key members', async () => {
    const text = '{ me { id: email reviews { text } } products { sku: title upc: sku reviews { id } } }';
    expect(await differences(text)).toEqual([]);
    const keys = (await representationsOf(text)).map(({ id, sku }) => String(id ?? sku));
    expect(keys.sort()).toEqual(['1', 's1', 's1', 's2']);
  });

  test.each([
    '{ items { __typename: title reviews { id } } me { __typename: name favorite { title } } }',
    '{ __proto__: me { constructor: name toString: reviews { __proto__: text hasOwnProperty: id } } valueOf: user(id: "9") { __proto__: id } }',
  ])('returns __typename and __proto__ as response names like other names: %s', async (text) => {
    expect(await differences(text)).toEqual([]);
    expect(({} as Record<string, unknown>).constructor).toBe(Object);
  });
});

describe('an engine that prepares operations', () => {
  const codes = (result: object) =>
    'errors' in result ? (result.errors as GraphQLError[]).map((error) => error.extensions.code) : [];

  test('refuses an invalid operation with a code for its reason', async () => {
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

  test('selects the named operation of a document with several', async () => {
    const prepared = await prepareOrThrow(compiled, 'query A { me { id } } query B { me { name } }', 'B');
    expect(await prepared.execute(null, {})).toEqual({ data: { me: { name: 'Ada' } } });
    expect(prepared.operationName).toBe('B');
  });

  test('lists the root fields without aliases, through fragments and conditions', async () => {
    const text =
      'query ($c: Boolean!) { a: me { id } ...F b: me { name } } fragment F on Query { users @skip(if: $c) { id } __typename }';
    expect((await prepareOrThrow(compiled, text)).rootFields).toEqual(['me', 'users', '__typename']);
  });

  test('prepares an operation once for concurrent and later requests with the same text', async () => {
    const text = '{ me { id level } }';
    const [first, second] = await Promise.all([compiled.prepare(text), compiled.prepare(text)]);
    expect(first).toBe(second);
    expect(await compiled.prepare(text)).toBe(first);
    expect(await compiled.prepare(parse(text))).not.toHaveProperty('errors');
  });

  test('prepares a refused operation again', async () => {
    expect(await compiled.prepare('{ no }')).not.toBe(await compiled.prepare('{ no }'));
  });

  test('returns a plan with a text, and a hash that depends only on the plan', async () => {
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

  test('applies limits of variables but not limits of documents with prepareKnown', async () => {
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

  test('returns UPSTREAM_TIMEOUT for a request whose client has disconnected', async () => {
    const client = new AbortController();
    const prepared = await prepareOrThrow(compiled, '{ me { name reviews { id } } }');
    client.abort();
    const { data, errors } = await prepared.execute({}, { signal: client.signal });
    expect(data).toEqual({ me: null });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['UPSTREAM_TIMEOUT']);
  });

  test('answers synchronously if no resolver is asynchronous', async () => {
    const prepared = await prepareOrThrow(compiled, '{ me { id name } }');
    expect(prepared.execute({}, {})).toEqual({ data: { me: { id: '1', name: 'Ada' } } });
  });
});

describe('an engine', () => {
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
      'a security feature that the router does not know',
      withLink('@link(url: "https://specs.apollo.dev/authenticated/v0.1", for: SECURITY)'),
      /^The supergraph uses https:\/\/specs.apollo.dev\/authenticated\/v0.1 for security, which a router must know/,
    ],
  ])('refuses a supergraph with %s', (_, sdl, reason) => {
    expect(() => createEngine({ supergraphSdl: sdl, transports })).toThrow(reason);
  });
});
