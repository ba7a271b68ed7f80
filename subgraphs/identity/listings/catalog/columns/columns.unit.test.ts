import fc from 'fast-check';
import { countFacets } from './countFacets.ts';
import type { ColumnSource } from './IndexedListing.ts';
import { ListingColumns } from './ListingColumns.ts';
import { type PickedRow, pickPage } from './pickPage.ts';
import type { FacetRequest, IndexQuery } from './query.ts';
import { doneAtOnce } from './Slices.ts';
import { selectRows } from './selectRows.ts';
import { toRowConditions } from './toRowConditions.ts';

const everything: IndexQuery = {
  q: null,
  locale: 'en',
  textsIn: null,
  categoryId: null,
  currency: null,
  priceMin: null,
  priceMax: null,
  conditions: [],
  priceTypes: [],
  sellerTypes: [],
  dealerIds: [],
  attributes: [],
  near: null,
  bounds: null,
  publishedAfter: null,
  withImages: null,
  sort: { by: 'publishedAt', direction: -1 },
};
const at = new Date(0);
const shown = { now: 0, among: null };

interface Sample {
  id: number;
  fuel?: string;
  doors?: number | string;
  features: string[];
  price: number | null;
}

function toSource({ id, fuel, doors, features, price }: Sample): ColumnSource {
  const attributes = { ...(fuel ? { fuel } : {}), ...(doors === undefined ? {} : { doors }), features };
  return {
    _id: `lst_${id}`,
    attributes,
    attributeTokens: Object.entries(attributes).flatMap(([name, value]) =>
      [value].flat().map((one) => `${name}=${one}`),
    ),
    categoryIds: ['cat_1'],
    condition: 'used',
    price: price === null ? null : { amount: price, currency: 'EUR' },
    priceType: 'fixed',
    priceRank: price ?? Number.MAX_SAFE_INTEGER,
    location: null,
    seller: { type: 'user', id: 'usr_1' },
    hasImages: false,
    withdrawn: false,
    publishedAt: at,
    expiresAt: new Date(1),
    changedAt: at,
    title: '',
    description: '',
    attributesText: '',
    languageTag: 'en',
  };
}

const samples = fc.uniqueArray(
  fc.record(
    {
      id: fc.nat(200),
      fuel: fc.constantFrom('petrol', 'diesel', 'électrique'),
      doors: fc.oneof(fc.integer({ min: -3, max: 7 }), fc.constantFrom('3', 'two', '')),
      features: fc.uniqueArray(fc.constantFrom('abs', 'a', 'ab', 'sabs')),
      price: fc.option(fc.integer({ min: 0, max: 5000 })),
    },
    { requiredKeys: ['id', 'features', 'price'] },
  ),
  { selector: ({ id }) => id, maxLength: 60 },
);

function columnsOf(list: readonly Sample[]): ListingColumns {
  const columns = new ListingColumns();
  for (const sample of list) columns.put(toSource(sample));
  return columns;
}

function idsIn(columns: ListingColumns, query: Partial<IndexQuery>): string[] {
  const tests = toRowConditions({ ...everything, ...query }, columns);
  const rows = doneAtOnce(selectRows(columns, tests, shown));
  return [...rows.rows.subarray(0, rows.length)].map((row) => columns.ids[row] as string).sort();
}

const idsOf = (list: readonly Sample[]) => list.map(({ id }) => `lst_${id}`).sort();

test('row conditions select exactly the listings that meet them', () => {
  fc.assert(
    fc.property(samples, fc.uniqueArray(fc.constantFrom<string>('3', '-1', 'two', '0x3')), (list, values) => {
      const columns = columnsOf(list);
      const doors = { name: 'doors', values, all: [], min: null, max: null };
      expect(idsIn(columns, { attributes: [doors] })).toEqual(
        idsOf(list.filter((one) => values.length === 0 || values.includes(String(one.doors)))),
      );
      const range = { ...doors, values: [], min: 0, max: 3 };
      expect(idsIn(columns, { attributes: [range] })).toEqual(
        idsOf(list.filter(({ doors: one }) => typeof one === 'number' && one >= 0 && one <= 3)),
      );
      const all = { name: 'features', values: [], all: ['abs', 'a'], min: null, max: null };
      expect(idsIn(columns, { attributes: [all] })).toEqual(
        idsOf(list.filter(({ features }) => features.includes('abs') && features.includes('a'))),
      );
      expect(idsIn(columns, { priceMin: 100, currency: 'EUR' })).toEqual(
        idsOf(list.filter(({ price }) => price !== null && price >= 100)),
      );
    }),
  );
});

test('columns contain the last version of each listing and no removed one, and reuse rows', () => {
  fc.assert(
    fc.property(samples, samples, fc.array(fc.nat(200)), (first, second, removed) => {
      const columns = columnsOf(first);
      for (const id of removed) columns.remove(`lst_${id}`);
      for (const sample of second) columns.put(toSource(sample));
      const known = new Map(
        first.filter(({ id }) => !removed.includes(id)).map((sample) => [sample.id, sample]),
      );
      for (const sample of second) known.set(sample.id, sample);
      const diesel = { name: 'fuel', values: ['diesel'], all: [], min: null, max: null };
      expect(idsIn(columns, {})).toEqual(idsOf([...known.values()]));
      expect(idsIn(columns, { attributes: [diesel] })).toEqual(
        idsOf([...known.values()].filter(({ fuel }) => fuel === 'diesel')),
      );
      expect(columns.size).toBeLessThanOrEqual(first.length + second.length);
    }),
  );
});

test('pages of any size contain every row once in the order of keys and ids', () => {
  fc.assert(
    fc.property(
      samples,
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom<1 | -1>(1, -1),
      (list, size, direction) => {
        const columns = columnsOf(list);
        const prices = new Map(list.map(({ id, price }) => [`lst_${id}`, price ?? Number.POSITIVE_INFINITY]));
        const keyOf = (row: number) => prices.get(columns.ids[row] as string) ?? Number.POSITIVE_INFINITY;
        const seen: string[] = [];
        let after: { key: number; id: string } | null = null;
        // A page that repeats rows must not continue for ever.
        while (seen.length <= list.length) {
          const order = { ids: columns.ids, keyOf, size, after, idDirection: direction };
          const page: PickedRow[] = doneAtOnce(pickPage(doneAtOnce(selectRows(columns, [], shown)), order));
          const last = page.at(-1);
          if (!last) break;
          seen.push(...page.map(({ row }) => columns.ids[row] as string));
          after = { key: last.key, id: columns.ids[last.row] as string };
        }
        const compare = (a: string, b: string) =>
          Math.sign((prices.get(a) ?? 0) - (prices.get(b) ?? 0)) || direction * (a < b ? -1 : 1);
        expect(seen).toEqual([...prices.keys()].sort((a, b) => compare(a, b)));
      },
    ),
  );
});

const facet = (by: FacetRequest['by'], kind: FacetRequest['kind'], isWhole = true): FacetRequest => ({
  name: by,
  by,
  kind,
  isWhole,
  currency: null,
});

test('each facet counts the listings that meet the conditions of the other facets', () => {
  fc.assert(
    fc.property(samples, (list) => {
      const columns = columnsOf(list);
      const fuel = { name: 'fuel', values: ['diesel'], all: [], min: null, max: null };
      const features = { name: 'features', values: ['abs', 'a'], all: [], min: null, max: null };
      const query = { ...everything, attributes: [fuel, features], priceMax: 2500 };
      const asked = [facet('attributes.fuel', 'values'), facet('price', 'range')];
      const { total, facets } = doneAtOnce(
        countFacets(columns, toRowConditions(query, columns), asked, shown),
      );
      const [isFuel, isFeature, isPrice] = [
        (one: Sample) => one.fuel === 'diesel',
        (one: Sample) => one.features.includes('abs') || one.features.includes('a'),
        (one: Sample) => one.price !== null && one.price <= 2500,
      ];
      expect(total).toBe(list.filter((one) => isFuel(one) && isFeature(one) && isPrice(one)).length);
      const counted = Object.fromEntries(facets[0]?.buckets.map(({ value, count }) => [value, count]) ?? []);
      for (const value of ['petrol', 'diesel'])
        expect(counted[value] ?? 0).toBe(
          list.filter((one) => one.fuel === value && isFeature(one) && isPrice(one)).length,
        );
      const prices = list.filter((one) => isFuel(one) && isFeature(one)).flatMap(({ price }) => price ?? []);
      const range = facets[1]?.range;
      expect(range?.min ?? null).toBe(prices.length === 0 ? null : Math.min(...prices));
      for (const { from, to, count } of range?.histogram ?? [])
        expect(count).toBe(prices.filter((price) => price >= from && price < to).length);
    }),
  );
});

test.each([
  ['one number', [7], true],
  ['fractions that have no binary form', [0.1, 0.2, 0.3, 0.4, 1.9], false],
  ['large numbers', [0, 2_000_000, 1_999_999, 40_001], true],
  ['numbers below zero', [-20, -1, 0, 19], true],
])('a histogram of %s has at most 21 bars with round ends and counts every number', (_, numbers, isWhole) => {
  const columns = columnsOf(numbers.map((doors, id) => ({ id, doors, features: [], price: null })));
  const request = facet('attributes.doors', 'range', isWhole);
  const { facets } = doneAtOnce(countFacets(columns, [], [request], shown));
  const bars = facets[0]?.range?.histogram ?? [];
  expect(bars.length).toBeLessThanOrEqual(21);
  for (const { from, to, count } of bars) {
    expect(String(from).length).toBeLessThan(8);
    expect(count).toBe(numbers.filter((value) => value >= from && value < to).length);
  }
  expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(numbers.length);
});

test('a condition on a value that is no number matches no listing without a value', () => {
  const columns = new ListingColumns();
  columns.put(toSource({ id: 1, doors: 3, features: [], price: null }));
  columns.put(toSource({ id: 2, features: [], price: null }));
  const attributes = [{ name: 'doors', values: ['NaN'], all: [], min: null, max: null }];
  const conditions = toRowConditions({ ...everything, attributes }, columns);
  expect(doneAtOnce(selectRows(columns, conditions, shown)).length).toBe(0);
});
