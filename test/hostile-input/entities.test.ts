import {
  type ExecutionResult,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isRequiredArgument,
  isUnionType,
} from 'graphql';
import pino from 'pino';
import { loadBuilders } from '../../app/product/loadBuilders.ts';
import { toPublicError } from '../../subgraphs/platform/errors/toPublicError.ts';
import { product } from '../support/product.ts';

const world = product();
const log = pino({ level: 'silent' });

const entities = Object.entries(await loadBuilders()).flatMap(([subgraph, build]) => {
  const { schema } = build();
  const union = schema.getType('_Entity');
  const types = isUnionType(union) ? union.getTypes() : [];
  return types.map((type) => ({ name: `${subgraph} ${type.name}`, subgraph, type, schema }));
});

/** Values of another type, too long, of prototypes, of operators, and numbers beyond 64 bits. */
const values: readonly unknown[] = [
  undefined,
  null,
  true,
  5,
  -1,
  0.5,
  2 ** 65,
  '36893488147419103232',
  '',
  ' ',
  'x',
  'x'.repeat(30_000),
  'lst_00000000000000000000000000',
  'usr_00000000000000000000000000',
  `lst_${'Z'.repeat(26)}`,
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'a\u0000b',
  '\ud800',
  '$ne',
  '../../etc/passwd',
  [],
  ['lst_00000000000000000000000000'],
  {},
  { $ne: null },
  { $gt: '' },
  JSON.parse('{"__proto__":{"polluted":true}}'),
  { toString: 1 },
];

/** Selects every field without required arguments. */
function selectionOf(type: GraphQLObjectType): string {
  return Object.values(type.getFields())
    .filter(({ args }) => !args.some(isRequiredArgument))
    .map((field) => (isLeafType(getNamedType(field.type)) ? field.name : `${field.name} { __typename }`))
    .join(' ');
}

const callers = {
  visitor: async () => null,
  buyer: async () => (await world.market.user()).token,
  editor: async () => (await world.market.staff('editor')).token,
  administrator: async () => (await world.market.staff('installation_admin')).token,
};

async function ask(
  { subgraph, type }: { subgraph: string; type: GraphQLObjectType },
  reference: object,
  as: string | null,
): Promise<ExecutionResult> {
  const query = `query ($references: [_Any!]!) { _entities(representations: $references) { ... on ${type.name} { ${selectionOf(type)} } } }`;
  return world.stack.execute(
    query,
    { references: [reference] },
    { as, subgraph, installation: world.market.installation },
  );
}

/** Lists server errors, refusals without a code, and long durations. */
function findFaults({ errors = [] }: ExecutionResult, elapsedMs: number): string[] {
  const faults = errors.flatMap((error) => {
    const { extensions } = toPublicError(error, log);
    const { status = 0 } = (extensions.problem ?? {}) as { status?: number };
    if (status >= 500) return [`${error.path?.join('.')}: ${error.message}`];
    return typeof extensions.code === 'string' ? [] : [`no code: ${error.message}`];
  });
  return elapsedMs > 5000 ? [...faults, `${Math.round(elapsedMs)} ms`] : faults;
}

test.each(entities)('$name is null or refused with a code for hostile keys', async (entity) => {
  const faults: string[] = [];
  for (const [who, token] of Object.entries(callers)) {
    const as = await token();
    for (const value of values) {
      // The members of the keys of all types.
      const keys = { id: value, code: value, objectType: value, objectId: value };
      const reference = { __typename: entity.type.name, ...keys };
      const begun = performance.now();
      const result = await ask(entity, reference, as);
      const found = findFaults(result, performance.now() - begun);
      faults.push(...found.map((fault) => `${who} ${JSON.stringify(value)?.slice(0, 60)}: ${fault}`));
    }
  }
  expect(faults).toEqual([]);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test.each([undefined, null, 5, '', 'Query', 'Nothing', '__proto__', 'String', {}])(
  'a reference with the typename %p is refused, and the other references are resolved',
  async (typename) => {
    const references = [{ __typename: typename, id: 'x' }, { __typename: 'Language', code: 'en' }, 5];
    const { data, errors = [] } = await world.stack.execute(
      'query ($references: [_Any!]!) { _entities(representations: $references) { __typename } }',
      { references },
      { subgraph: 'translation', installation: world.market.installation },
    );
    expect(data?._entities).toEqual([null, { __typename: 'Language' }, null]);
    const extensions = { problem: { code: 'validation_failed' } };
    expect(errors.map((error) => ({ path: error.path, extensions: error.extensions }))).toMatchObject([
      { path: ['_entities', 0], extensions },
      { path: ['_entities', 2], extensions },
    ]);
  },
);

test('an entity of another installation is null', async () => {
  const foreign = await (await world.neighbour()).seller();
  const { id } = await foreign.listing({ published: true });
  const as = (await world.market.staff('installation_admin')).token;
  for (const entity of entities.filter(({ subgraph }) => subgraph === 'identity')) {
    const result = await ask(entity, { __typename: entity.type.name, id }, as);
    expect(result.data?._entities ?? [null]).toEqual([null]);
    expect(findFaults(result, 0)).toEqual([]);
  }
});
