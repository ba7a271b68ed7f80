import fc from 'fast-check';
import type { StoredMoney } from '../../../kernel/money/model.ts';
import { lowestOf, nextPriceHistory } from './priceHistory.ts';

const day = 24 * 3600 * 1000;
const start = Date.parse('2026-03-01T12:00:00Z');
const published = { revision: 1 } as never;

type Priced = Parameters<typeof nextPriceHistory>[0];

/** A listing after changes: a price in euro, a price in another currency, or a state in which it is hidden or shown. */
function live(steps: readonly (readonly [days: number, what: number | StoredMoney | 'paused' | 'active'])[]) {
  let listing: Priced = {
    state: 'draft',
    published: null,
    price: null,
    priceHistory: null,
    updatedAt: new Date(start),
  };
  for (const [days, what] of steps) {
    const at = new Date(start + days * day);
    const after: Priced =
      typeof what === 'string'
        ? { ...listing, state: what }
        : {
            ...listing,
            published,
            state: 'active',
            price: typeof what === 'number' ? { amount: what, currency: 'EUR' } : what,
          };
    listing = { ...after, priceHistory: nextPriceHistory(listing, after, at), updatedAt: at };
  }
  return listing;
}
const lowest = (...steps: Parameters<typeof live>[0]) => lowestOf(live(steps).priceHistory)?.amount ?? null;

test('a draft has no price history, and the first price has no earlier lowest price', () => {
  expect(live([]).priceHistory).toBeNull();
  expect(lowest([0, 1000])).toBeNull();
});

test('a reduced price is compared with the lowest price of the previous 30 days', () => {
  expect(lowest([0, 1000], [40, 900])).toBe(1000);
  expect(lowest([0, 1000], [10, 800], [20, 1000], [30, 900])).toBe(800);
  // A price that ended more than 30 days ago is ignored.
  expect(lowest([0, 1000], [1, 500], [2, 1000], [33, 900])).toBe(1000);
});

test('an earlier price is compared if it ended within 30 days, however long ago it began', () => {
  expect(lowest([0, 700], [100, 1000], [120, 900])).toBe(700);
});

test('a pause ends a price, and a later price is compared with those before the pause', () => {
  expect(lowest([0, 1000], [5, 'paused'], [10, 'active'])).toBeNull();
  expect(lowest([0, 1000], [5, 'paused'], [20, 900])).toBe(1000);
  expect(lowest([0, 1000], [5, 'paused'], [40, 900])).toBeNull();
});

test('the price of an expired listing ends at its expiry', () => {
  const shown = live([[0, 1000]]);
  const expired: Priced = { ...shown, state: 'expired', updatedAt: new Date(start + 2 * day) };
  const again: Priced = { ...expired, state: 'active', price: { amount: 900, currency: 'EUR' } };
  const historyAt = (days: number) => nextPriceHistory(expired, again, new Date(start + days * day));
  expect(lowestOf(historyAt(20))).toEqual({ amount: 1000, currency: 'EUR' });
  expect(lowestOf(historyAt(33))).toBeNull();
});

test('amounts of two currencies are never compared', () => {
  const yen = { amount: 5, currency: 'JPY' };
  expect(lowest([0, 1000], [1, yen])).toBeNull();
  expect(lowest([0, 1000], [1, yen], [2, 900])).toBeNull();
});

test('the lowest price equals that of all prices to within a day, and the stored history stays short', () => {
  const step = fc.record({
    hours: fc.integer({ min: 1, max: 200 }),
    amount: fc.integer({ min: 1, max: 40 }),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 120 }), (changes) => {
      const steps: [number, number][] = [];
      let hours = 0;
      for (const change of changes) {
        hours += change.hours;
        if (steps.at(-1)?.[1] !== change.amount) steps.push([hours / 24, change.amount]);
      }
      const found = live(steps).priceHistory;
      // In whole hours, because a fraction of a day is not exact.
      const hoursOf = (index: number) => Math.round((steps.at(index)?.[0] ?? 0) * 24);
      const lowestWithin = (days: number) =>
        Math.min(
          ...steps
            .slice(0, -1)
            .filter((_, index) => hoursOf(index + 1) > hoursOf(-1) - days * 24)
            .map(([, amount]) => amount),
        );
      const amount = found?.lowestBefore ?? Infinity;
      expect(amount).toBeLessThanOrEqual(lowestWithin(30));
      expect(amount).toBeGreaterThanOrEqual(lowestWithin(31));
      expect(found?.past.length ?? 0).toBeLessThanOrEqual(31);
    }),
    {
      numRuns: 300,
      examples: [[[152, 110, 720].map((hours, index) => ({ hours, amount: (index % 2) + 1 }))]],
    },
  );
});
