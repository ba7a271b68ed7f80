import { scatteredCommands } from '../../support/stack/scatteredCommands.ts';
import { operations } from '../parts.ts';
import { openWorld, type World } from '../world/openWorld.ts';
import { type Operation, routesOf } from './Operation.ts';
import { words } from './rules.ts';
import { type Breadth, type Outcome, runMatrix } from './runMatrix.ts';

/**
 * Declares the tests of some rows of the authorization matrix, over REST and GraphQL.
 *
 * `MATRIX=Conversation npm test -- test/authorization` runs only the rows whose field matches.
 */
export function describeMatrix(
  given: readonly Operation[],
  breadth: Breadth,
): { readonly outcomes: Outcome[] } {
  const wanted = new RegExp(process.env.MATRIX ?? '');
  const rows = given.filter(({ field }) => wanted.test(field));
  const outcomes: Outcome[] = [];
  let world: World;
  let touched: string[];
  let scattered: string[];

  beforeAll(async () => {
    world = await openWorld();
    scattered = await scatteredCommands(async () => {
      const run = await runMatrix(world, rows, breadth);
      outcomes.push(...run.outcomes);
      touched = run.touched;
    });
  }, 600_000);
  afterAll(() => world.app.close());

  test.each(rows.map(({ field }) => field))(
    '%s answers the callers that its rule allows and refuses the others',
    (field) => {
      const faults = outcomes.filter((outcome) => outcome.field === field && outcome.fault);
      expect(outcomes.some((outcome) => outcome.field === field)).toBe(true);
      expect(faults.map(({ name, route, fault }) => `${name} · ${route ?? 'GraphQL'}: ${fault}`)).toEqual([]);
    },
  );

  test('REST and GraphQL refuse a caller with the same status and code', () => {
    const comparable = outcomes.filter(
      ({ field, route }) => !ignoresToken.has(route) && !nullInGraphql.has(field),
    );
    const different = [...Map.groupBy(comparable, ({ name }) => name)].filter(
      ([, styles]) => new Set(styles.map(({ got }) => words(got))).size > 1,
    );
    expect(different.map(([name]) => name)).toEqual([]);
  });

  test('a refused call changes no record', () => {
    expect(touched).toEqual([]);
  });

  test('no operation sends a database command that would reach all shards', () => {
    expect(scattered).toEqual([]);
  });

  test('a record of another installation is refused like one that does not exist', () => {
    const missing = new Map(
      outcomes
        .filter(({ item }) => item && isNever.test(item))
        .map((one) => [`${kindOf(one, isNever)} ${keyOf(one)}`, one]),
    );
    const different = outcomes.flatMap((one) => {
      if (!one.item || !isElsewhere.test(one.item)) return [];
      const other = missing.get(`${kindOf(one, isElsewhere)} ${keyOf(one)}`);
      return other && one.refusal !== other.refusal ? [[one.name, one.refusal, other.refusal]] : [];
    });
    expect(different).toEqual([]);
  });

  return { outcomes };
}

/** Names of items of another installation, and of those that do not exist, as in `personElsewhere`. */
const isElsewhere = /elsewhere$/i;
const isNever = /never$/i;

const kindOf = ({ item }: Outcome, where: RegExp) => item?.replace(where, '').toLowerCase();

/** A cell without the name of its item. */
function keyOf({ name, item, route, who }: Outcome): string {
  return `${name.replace(` · ${item} · `, ' · ')} ${route} ${who}`;
}

/** Routes that ignore `Authorization`, though GraphQL refuses a rejected token for the whole request. */
const ignoresToken: ReadonlySet<string | null> = new Set(
  operations.flatMap((operation) => {
    const { rule } = operation;
    return rule.kind === 'public' && rule.ignoresToken ? Object.keys(routesOf(operation)) : [];
  }),
);

/** Fields that are null in GraphQL where REST answers 404. */
const nullInGraphql = new Set(['Query.catalogListing', 'Query.catalogDealer']);
