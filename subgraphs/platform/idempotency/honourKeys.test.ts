import { buildSubgraphSchema } from '@apollo/subgraph';
import { execute, parse } from 'graphql';
import { assembleSdl } from '../../../schema/compose/assembleSubgraphSdl.ts';
import { product } from '../../../test/support/product.ts';
import type { Platform } from '../context/Platform.ts';
import { RequestContext } from '../context/RequestContext.ts';
import type { Viewer } from '../principal/Viewer.ts';
import { honourKeys } from './honourKeys.ts';

const { market } = product();

const sdl = `
  type Query { unused: String @guard__public @guard__rateClass(name: READ) }
  type Mutation {
    create(input: In!): String @guard__authenticated @guard__idempotent @guard__rateClass(name: WRITE)
    pay(input: In!): String @guard__authenticated @guard__idempotent(required: true) @guard__rateClass(name: MONEY)
    upload(input: In!): String @guard__authenticated @guard__idempotent @guard__rateClass(name: WRITE)
    touch(input: In!): String @guard__authenticated @guard__rateClass(name: WRITE)
  }
  input In { fails: Boolean idempotencyKey: String }
`;

let runs: { id: string; isRepeated: boolean }[] = [];
beforeEach(() => {
  runs = [];
});

const run = async (_: unknown, { input }: { input: { fails?: boolean } }, { attempt }: RequestContext) => {
  runs.push({ id: attempt.newId('listing'), isRepeated: attempt.isRepeated });
  if (input.fails && runs.length === 1) throw new Error('killed');
  return runs.at(-1)?.id;
};
const typeDefs = parse(assembleSdl([{ file: 'test', text: sdl }]));
const schemaOf = (byHand?: string[]) => {
  const resolvers = { Mutation: { create: run, pay: run, upload: run, touch: run } };
  return honourKeys(buildSubgraphSchema([{ typeDefs, resolvers }]), byHand);
};
const schema = schemaOf(['upload']);

/** Calls a mutation with some members of its input, in one request. */
async function call(field: string, members = '') {
  const viewer = { id: 'usr_1' } as Viewer;
  const platform = { now: Date.now, identify: () => ({ kind: 'accepted', viewer }) } as unknown as Platform;
  const { installation } = market;
  const contextValue = new RequestContext(platform, { installation, clientAddress: '', userAgent: '' });
  await contextValue.identify();
  const document = parse(`mutation { ${field}(input: {${members}}) }`);
  const { data, errors } = await execute({ schema, document, contextValue });
  const code = (errors?.[0]?.originalError as { code?: string } | undefined)?.code;
  return { value: data?.[field], code, isReplayed: contextValue.answer.idempotentReplayed === true };
}

test('a mutation with @guard__idempotent runs once for a key, and a repetition returns its value', async () => {
  const first = await call('create', 'idempotencyKey: "honour-1"');
  expect(first).toEqual({ value: runs[0]?.id, isReplayed: false });
  expect(await call('create', 'idempotencyKey: "honour-1"')).toEqual({ ...first, isReplayed: true });
  expect(runs).toHaveLength(1);
});

test('a repeated run has the ids of the run that failed, and is marked as repeated', async () => {
  const members = 'fails: true, idempotencyKey: "honour-2"';
  expect(await call('create', members)).toMatchObject({ value: null });
  expect(await call('create', members)).toMatchObject({ value: runs[0]?.id });
  expect(runs).toEqual([
    { id: runs[0]?.id, isRepeated: false },
    { id: runs[0]?.id, isRepeated: true },
  ]);
});

test('every request without a key runs and has a new id', async () => {
  await call('create');
  await call('create', 'idempotencyKey: null');
  expect(new Set(runs.map(({ id }) => id)).size).toBe(2);
});

test.each(['', 'idempotencyKey: null'])(
  'a mutation that requires a key refuses the input {%s}',
  async (members) => {
    expect(await call('pay', members)).toMatchObject({ code: 'idempotency_key_required' });
    expect(runs).toEqual([]);
  },
);

test.each(['upload', 'touch'])(
  'the mutation %s, for which no keys are honoured here, runs for every request',
  async (field) => {
    await call(field, 'idempotencyKey: "honour-3"');
    await call(field, 'idempotencyKey: "honour-3"');
    expect(new Set(runs.map(({ id }) => id)).size).toBe(2);
  },
);

test.each(['touch', 'unknown'])(
  'a subgraph that handles the idempotency key of %s itself does not start',
  (name) => {
    expect(() => schemaOf([name])).toThrow(
      `keysByHand names fields that are not mutations with @guard__idempotent: ${name}`,
    );
  },
);
