import { allPages } from '../../support/allPages.ts';
import type { Product } from '../../support/product.ts';
import { changesHeard } from '../../support/stack/changesHeard.ts';
import { commandsSettled } from '../../support/stack/commandsOf.ts';
import { indexesOf } from '../../support/stack/indexesOf.ts';
import { without } from '../without.ts';
import { documentOf, edgesOf, schema } from './documentOf.ts';
import { readsWithoutIndex } from './indexFor.ts';
import type { Row, Stock } from './Stock.ts';

/** Number of entries of each list in the second read. */
const many = 14;

/**
 * Declares the tests of each list: reading it with all members of its entries takes the same commands for 1 entry of the
 * stock and for 14, each through an index, and its pages contain each entry once. Lists that have initial entries contain
 * a few more.
 */
export function describeReads<S extends Stock>(
  world: Product,
  open: (world: Product) => Promise<S>,
  rows: readonly Row<S>[],
): void {
  let stock: S;
  const fewOf = new Map<string, { entries: number; commands: string[] }>();

  beforeAll(async () => {
    stock = await open(world);
    await stock.grow();
    await settle();
    for (const row of rows) {
      const entries = await read(row);
      fewOf.set(row.list, { entries, commands: await commandsSettled(() => read(row)) });
    }
    for (let count = 1; count < many; count += 1) await stock.grow();
    await settle();
  }, 60_000);

  async function settle(): Promise<void> {
    await world.stack.runJob('identity.relay');
    await changesHeard();
  }

  /** Reads a list, or a page of it. */
  async function ask(row: Row<S>, page: { first?: number; after?: string | null; depth?: number } = {}) {
    const { first = many, after = null, depth } = page;
    const given = [row.arguments?.(stock) ?? '', after === null ? '' : `after: "${after}"`];
    const query = documentOf(row, given.filter((text) => text !== '').join(', '), first, depth);
    const answer = await stock.callers[row.as]?.rest('POST', '/graphql', { body: { query } });
    const { data, errors } = answer?.body ?? {};
    if (errors) throw new Error(`${row.list} is refused: ${JSON.stringify(errors.slice(0, 3))}`);
    return row.list.split('.').reduce((value, name) => value?.[name], data);
  }

  /** Reads the edges of a page with the members of its entries that identify them. */
  async function askEdges(row: Row<S>, after: string | null): Promise<Edges> {
    const given = [row.arguments?.(stock) ?? '', after === null ? '' : `after: "${after}"`];
    const query = edgesOf(row, given.filter((text) => text !== '').join(', '), many);
    const answer = await stock.callers[row.as]?.rest('POST', '/graphql', { body: { query } });
    const { data, errors } = answer?.body ?? {};
    if (errors) throw new Error(`${row.list} is refused: ${JSON.stringify(errors.slice(0, 3))}`);
    return data[row.list];
  }

  /** Reads a list and returns its number of entries. */
  async function read(row: Row<S>): Promise<number> {
    const found = await ask(row);
    return (found.nodes ?? found).length;
  }

  test.each(rows)(
    '$list is read by the same commands for few entries and for many, through indexes',
    async (row) => {
      let entries = 0;
      let unanswered: string[] = [];
      let commands: string[] = [];
      const plans = await indexesOf(async () => {
        unanswered = await readsWithoutIndex(async () => {
          commands = await commandsSettled(async () => void (entries = await read(row)));
        });
      });
      expect(unanswered.filter((found) => !isSorted(row, found))).toEqual([]);
      expect(plans.filter(({ indexes }) => indexes.length === 0)).toEqual([]);
      const few = fewOf.get(row.list);
      if (row.entriesOf === undefined) expect(few?.entries).toBeLessThan(many / 2);
      expect(entries).toBeGreaterThanOrEqual(many);
      let more = without(commands, few?.commands);
      // A cache that expires during the read causes commands that do not belong to the list.
      for (let again = 0; again < 2 && more.length > 0; again += 1)
        more = without(await commandsSettled(() => read(row)), few?.commands);
      expect(more).toEqual([]);
    },
  );

  test.each(rows.filter(hasPages))(
    'pages of $list contain each entry once and in the same order for any page size',
    async (row) => {
      const whole: Entry[] = await allPages((after) => ask(row, { after, depth: 1 }));
      const paged: Entry[] = await allPages((after) => ask(row, { first: 7, after, depth: 1 }));
      expect(paged.map(nameOf)).toEqual(whole.map(nameOf));
      expect(new Set(paged.map(nameOf)).size).toBe(paged.length);
    },
  );

  test.each(rows.filter(hasPages))('the cursor of an edge of $list leads to the next entry', async (row) => {
    const { edges, pageInfo } = await askEdges(row, null);
    expect(edges.length).toBeGreaterThan(1);
    expect(pageInfo).toMatchObject({
      hasPreviousPage: false,
      startCursor: expect.any(String),
      endCursor: expect.any(String),
    });
    const next = await askEdges(row, edges[0]?.cursor ?? '');
    expect(next.pageInfo.hasPreviousPage).toBe(true);
    expect(nameOf(next.edges[0]?.node ?? {})).toEqual(nameOf(edges[1]?.node ?? {}));
  });
}

interface Edges {
  readonly edges: readonly { readonly cursor: string; readonly node: Entry }[];
  readonly pageInfo: { readonly hasPreviousPage: boolean };
}

type Entry = Readonly<Record<string, unknown>>;

/** Identifies an entry by its id, or by all its members. */
function nameOf({ id, listingId, userId, ...members }: Entry): unknown {
  return id ?? listingId ?? userId ?? JSON.stringify(members);
}

/** Whether the root field of a list has the arguments of pages. */
function hasPages<S extends Stock>({ list }: Row<S>): boolean {
  const [name = '', ...inner] = list.split('.');
  const { args = [] } = schema.getQueryType()?.getFields()[name] ?? {};
  return inner.length === 0 && ['first', 'after'].every((wanted) => args.some((one) => one.name === wanted));
}

function isSorted<S extends Stock>({ sorted = {} }: Row<S>, found: string): boolean {
  return Object.keys(sorted).some((name) => found.startsWith(`${name} `));
}
