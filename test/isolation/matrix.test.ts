import { readRoutes } from '../../schema/route/readRoutes.ts';
import { openWorld, type World } from './openWorld.ts';
import { words } from './rules.ts';
import { type EntityOutcome, entityTypes, runEntities } from './runEntities.ts';
import { apiSchema, type Outcome, runMatrix } from './runMatrix.ts';
import { runNested } from './runNested.ts';
import { operations } from './validCalls.ts';

/** While one works on a few rows, `MATRIX=Conversation npx jest test/isolation/matrix.test.ts` runs just these. */
const wanted = new RegExp(process.env.MATRIX ?? '');
const rows = operations.filter(({ field }) => wanted.test(field));
const isWhole = rows.length === operations.length;
const testWhole = isWhole ? test : test.skip;

let world: World;
let outcomes: Outcome[];
let touched: string[];
let entities: EntityOutcome[];
let nested: Awaited<ReturnType<typeof runNested>>;

beforeAll(async () => {
  world = await openWorld();
  // First, while analyses are still the editor's.
  if (isWhole) nested = await runNested(world);
  ({ outcomes, touched } = await runMatrix(world, rows));
  entities = isWhole ? await runEntities(world) : [];
}, 600_000);
afterAll(() => world.app.close());

test('a new method comes with its row: every root field and every REST method has one', () => {
  const fields = [apiSchema.getQueryType(), apiSchema.getMutationType(), apiSchema.getSubscriptionType()]
    .flatMap((type) => Object.keys(type?.getFields() ?? {}).map((name) => `${type?.name}.${name}`))
    .sort();
  expect(operations.map(({ field }) => field).sort()).toEqual(fields);
  const routes = readRoutes().map(({ method, path }) => `${method} ${path}`);
  expect(operations.flatMap((operation) => Object.keys(operation.routes ?? {})).sort()).toEqual(
    routes.sort(),
  );
});

testWhole('a new entity type comes with its row', () => {
  const types = new Set(entities.map(({ row }) => `${row.subgraph} ${row.type}`));
  expect([...types].sort()).toEqual(entityTypes().sort());
});

describe('over REST and GraphQL', () => {
  test.each(rows.map(({ field }) => field))('%s answers whom the design names, and nobody else', (field) => {
    const faults = outcomes.filter((outcome) => outcome.field === field && outcome.fault);
    expect(faults.map(({ name, route, fault }) => `${name} · ${route ?? 'GraphQL'}: ${fault}`)).toEqual([]);
  });

  test('both styles refuse alike', () => {
    const comparable = outcomes.filter(
      ({ field, route }) => !ignoresToken.has(route) && !nothingInGraphql.has(field),
    );
    const different = [...Map.groupBy(comparable, ({ name }) => name)].filter(
      ([, styles]) => new Set(styles.map(({ got }) => words(got))).size > 1,
    );
    expect(different.map(([name]) => name)).toEqual([]);
  });

  test('whoever is refused has changed nothing', () => {
    expect(touched).toEqual([]);
  });

  testWhole('a record of another installation is refused in the very words of one that never was', () => {
    const kindOf = ({ item }: Outcome, where: RegExp) => item?.replace(where, '').toLowerCase();
    const never = new Map(
      outcomes
        .filter(({ item }) => item && isNever.test(item))
        .map((one) => [`${kindOf(one, isNever)} ${keyOf(one)}`, one]),
    );
    const pairs = outcomes.flatMap((one) => {
      if (!one.item || !isElsewhere.test(one.item)) return [];
      const other = never.get(`${kindOf(one, isElsewhere)} ${keyOf(one)}`);
      return other ? [[one, other] as const] : [];
    });
    expect(pairs.length).toBeGreaterThan(500);
    const different = pairs.filter(([one, other]) => one.refusal !== other.refusal);
    expect(different.map(([one, other]) => [one.name, one.refusal, other.refusal])).toEqual([]);
  });
});

describe('through _entities', () => {
  test.each(entityTypes())('%s answers whom the design names, and nobody else', (type) => {
    const ofType = entities.filter(({ row }) => `${row.subgraph} ${row.type}` === type);
    expect(ofType.flatMap(({ faults }) => faults)).toEqual([]);
  });
});

testWhole('a field that is reached through another one keeps its guard', () => {
  expect(nested.faults).toEqual([]);
});

testWhole('the matrix is as large as the contract', () => {
  const counted = {
    rest: outcomes.filter(({ route }) => route !== null).length,
    graphql: outcomes.filter(({ route }) => route === null).length,
    entities: entities.reduce((sum, { cells }) => sum + cells, 0),
    nested: nested.cells,
  };
  const cells = Object.values(counted).reduce((sum, count) => sum + count);
  process.stderr.write(`authorisation matrix: ${cells} cells ${JSON.stringify(counted)}\n`);
  expect(cells).toBeGreaterThan(10_000);
});

/** Names of items that are another installation's, and of those that nobody has, as in `personElsewhere`. */
const isElsewhere = /elsewhere$/i;
const isNever = /never$/i;

/** Routes whose `Authorization` counts for nothing, though GraphQL refuses a rejected one for the whole request. */
const ignoresToken: ReadonlySet<string | null> = new Set(
  operations.flatMap(({ rule, routes }) =>
    rule.kind === 'public' && rule.ignoresToken ? Object.keys(routes ?? {}) : [],
  ),
);

/** GraphQL has a word for nothing where REST answers 404; its row says so. */
const nothingInGraphql = new Set(['Query.catalogListing', 'Query.catalogDealer']);

/** A cell without the name of its item. */
function keyOf({ name, item, route, who }: Outcome): string {
  return `${name.replace(` · ${item} · `, ' · ')} ${route} ${who}`;
}
