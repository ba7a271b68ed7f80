import fc from 'fast-check';
import type { Death } from '../support/mortality.ts';
import type { StripeFault } from '../support/openStripeServer.ts';

/** What somebody does, or what happens to the provider. Numbers choose among what is there; parts are percentages. */
export type Doing =
  | { do: 'pay'; listing: number; manual: boolean; card: string | null }
  | {
      do: 'confirm' | 'capture' | 'cancel' | 'refund' | 'dispute' | 'answer' | 'withdraw';
      payment: number;
      part: number;
    }
  | { do: 'decide'; payment: number; part: number; outcome: 'WON' | 'LOST' | 'SPLIT' }
  | { do: 'payout'; part: number }
  | { do: 'fault'; faults: StripeFault[] }
  | { do: 'tell'; payment: number; times: number }
  /** Repeats what was cut short last, under the same key. */
  | { do: 'again' }
  | { do: 'jobs' };

/** One step of a run: the process that does it may die over it. */
export type Act = Doing & { death: Death | null };

const payment = fc.nat(7);
const part = fc.integer({ min: 1, max: 100 });

const doings: fc.Arbitrary<Doing> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      listing: fc.nat(2),
      manual: fc.boolean(),
      card: fc.constantFrom(
        'pm_card_visa',
        'pm_card_visa',
        'pm_card_visa',
        'pm_card_chargeDeclined',
        'pm_card_threeDSecure',
        null,
      ),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('confirm' as const, 'capture' as const, 'cancel' as const, 'refund' as const),
      payment,
      part,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('dispute' as const, 'dispute' as const, 'answer' as const, 'withdraw' as const),
      payment,
      part,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      payment,
      part,
      outcome: fc.constantFrom('WON' as const, 'LOST' as const, 'SPLIT' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('payout' as const), part }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fault' as const),
      faults: fc.array(fc.constantFrom<StripeFault>('error', 'lostAnswer', 'refuse', 'none'), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('tell' as const), payment, times: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.constant({ do: 'again' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'jobs' as const }) },
);

/** One step in three is cut short, if it writes so often. */
const deaths: fc.Arbitrary<Death | null> = fc.option(
  fc.record({ write: fc.nat(12), isBehind: fc.boolean() }),
  { freq: 2 },
);

export const acts: fc.Arbitrary<Act> = fc
  .tuple(doings, deaths)
  .map(([doing, death]) => ({ ...doing, death }));

/** Something of everything, so that the random ones never stand alone. */
export const usual: Act[] = (
  [
    { do: 'pay', listing: 0, manual: false, card: 'pm_card_visa' },
    { do: 'refund', payment: 0, part: 30 },
    // What is left of a payment that was refunded is charged back.
    { do: 'dispute', payment: 0, part: 100 },
    { do: 'answer', payment: 0, part: 1 },
    { do: 'decide', payment: 0, part: 40, outcome: 'SPLIT' },
    { do: 'pay', listing: 1, manual: false, card: 'pm_card_visa' },
    { do: 'payout', part: 50 },
    { do: 'dispute', payment: 1, part: 100 },
    { do: 'decide', payment: 1, part: 1, outcome: 'LOST' },
    { do: 'jobs' },
  ] satisfies Doing[]
).map((doing) => ({ ...doing, death: null }));

/** The same, and each step dies over one of its writes and is repeated. */
export const mortal: Act[] = usual.flatMap((one, index): Act[] => [
  { ...one, death: { write: 2 + (index % 4), isBehind: index % 2 === 0 } },
  { do: 'again', death: null },
]);

/** Whoever opens a dispute dies before anything is kept back, and the dealer answers before anybody goes on with it. */
export const answered: Act[] = (
  [
    { do: 'pay', listing: 0, manual: false, card: 'pm_card_visa' },
    { do: 'dispute', payment: 0, part: 100 },
    { do: 'answer', payment: 0, part: 1 },
    { do: 'jobs' },
    { do: 'decide', payment: 0, part: 40, outcome: 'LOST' },
  ] satisfies Doing[]
).map((doing) => ({ ...doing, death: doing.do === 'dispute' ? { write: 4, isBehind: false } : null }));
