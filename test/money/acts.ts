import fc from 'fast-check';
import type { StripeFault } from '../support/servers/openStripeServer.ts';
import type { Death } from '../support/stack/mortality.ts';

/** An operation, or an event at the provider. Numbers choose among the records that exist; parts are percentages. */
export type Doing =
  /** Each listing has its own payer by default, who pays a deposit. */
  | {
      do: 'pay';
      listing: number;
      payer?: number;
      isPurchase?: boolean;
      manual: boolean;
      card: string | null;
    }
  | {
      do: 'confirm' | 'capture' | 'cancel' | 'refund' | 'dispute' | 'answer' | 'withdraw';
      payment: number;
      part: number;
    }
  | { do: 'decide'; payment: number; part: number; outcome: 'WON' | 'LOST' | 'SPLIT' }
  /** A bank disputes a part of the undisputed amount. An inquiry moves no money. */
  | { do: 'chargeback'; payment: number; part: number; isInquiry: boolean }
  /** A bank decides a chargeback, or withdraws the money of an inquiry. */
  | { do: 'judge'; chargeback: number; isWon: boolean }
  | { do: 'payout'; part: number }
  /** The staff cancels a payout. */
  | { do: 'callOff'; payout: number }
  /** A bank accepts or returns a payout, also after it accepted it. */
  | { do: 'bank'; payout: number; status: 'paid' | 'failed' }
  /** Stripe accepts or rejects the dealer's account. */
  | { do: 'account'; state: 'active' | 'rejected' }
  /** A day passes, after which the idempotency keys at Stripe have expired, and the jobs run. */
  | { do: 'day' }
  | { do: 'fault'; faults: StripeFault[] }
  | { do: 'tell'; payment: number; times: number }
  /** Repeats the last call whose process died, with its key. */
  | { do: 'again' }
  | { do: 'jobs' };

/** One step of a run, during which its process may die. */
export type Act = Doing & { death: Death | null };

const of = fc.constantFrom;
const payment = fc.nat(7);
const part = fc.integer({ min: 1, max: 100 });
const visa = 'pm_card_visa';
const card = of(visa, visa, visa, 'pm_card_chargeDeclined', 'pm_card_threeDSecure', null);
const faults = fc.array(of<StripeFault[]>('error', 'lostAnswer', 'refuse', 'none'), {
  minLength: 1,
  maxLength: 3,
});
const weighted = (weight: number, arbitrary: fc.Arbitrary<Doing>) => ({ weight, arbitrary });

const doings: fc.Arbitrary<Doing> = fc.oneof(
  weighted(
    5,
    fc.record({
      do: of('pay'),
      listing: fc.nat(2),
      payer: fc.nat(1),
      isPurchase: of(false, false, true),
      manual: fc.boolean(),
      card,
    }),
  ),
  weighted(6, fc.record({ do: of('confirm', 'capture', 'cancel', 'refund'), payment, part })),
  weighted(4, fc.record({ do: of('dispute', 'dispute', 'answer', 'withdraw'), payment, part })),
  weighted(3, fc.record({ do: of('decide'), payment, part, outcome: of('WON', 'LOST', 'SPLIT') })),
  weighted(3, fc.record({ do: of('chargeback'), payment, part, isInquiry: of(false, false, true) })),
  weighted(3, fc.record({ do: of('judge'), chargeback: fc.nat(3), isWon: fc.boolean() })),
  weighted(4, fc.record({ do: of('payout'), part })),
  weighted(2, fc.record({ do: of('callOff'), payout: fc.nat(3) })),
  weighted(4, fc.record({ do: of('bank'), payout: fc.nat(3), status: of('paid', 'failed') })),
  weighted(2, fc.record({ do: of('account'), state: of('active', 'active', 'rejected') })),
  weighted(1, fc.record({ do: of('day') })),
  weighted(2, fc.record({ do: of('fault'), faults })),
  weighted(2, fc.record({ do: of('tell'), payment, times: fc.nat(3) })),
  weighted(4, fc.record({ do: of('again', 'jobs') })),
);

/** In a third of the steps, the process dies at a random write, if there are enough writes. */
const deaths: fc.Arbitrary<Death | null> = fc.option(
  fc.record({ write: fc.nat(12), isBehind: fc.boolean() }),
  { freq: 2 },
);

export const acts: fc.Arbitrary<Act> = fc
  .tuple(doings, deaths)
  .map(([doing, death]) => ({ ...doing, death }));

const pay = (listing: number): Doing => ({ do: 'pay', listing, manual: false, card: visa });
const about = (what: 'refund' | 'dispute' | 'answer', index: number, percentage: number): Doing => ({
  do: what,
  payment: index,
  part: percentage,
});
const decide = (index: number, outcome: 'LOST' | 'SPLIT'): Doing => ({
  do: 'decide',
  payment: index,
  part: 40,
  outcome,
});

/**
 * A sequence with every kind of act, in addition to random ones. A refunded deposit is disputed for the rest, and a purchase
 * subtracts what is left of it.
 */
export const usual: Act[] = [
  pay(0),
  about('refund', 0, 30),
  about('dispute', 0, 100),
  about('answer', 0, 1),
  decide(0, 'SPLIT'),
  pay(1),
  { do: 'payout', part: 50 } as const,
  about('dispute', 1, 100),
  decide(1, 'LOST'),
  { ...pay(0), isPurchase: true },
  { do: 'jobs' } as const,
].map((doing) => ({ ...doing, death: null }));

/** The same sequence, in which the process of each step dies at one of its writes and the step is repeated. */
export const mortal: Act[] = usual.flatMap((one, index): Act[] => [
  { ...one, death: { write: 2 + (index % 4), isBehind: index % 2 === 0 } },
  { do: 'again', death: null },
]);

const bank = (index: number, status: 'paid' | 'failed'): Doing => ({ do: 'bank', payout: index, status });

/** Payouts cause errors that Stripe stores, are returned before and after they were paid, and are canceled. */
export const sentBack: Act[] = [
  pay(0),
  { do: 'payout', part: 30 } as const,
  { do: 'fault', faults: ['lateError', 'storedError'] as StripeFault[] } as const,
  { do: 'jobs' } as const,
  { do: 'day' } as const,
  bank(0, 'paid'),
  { do: 'jobs' } as const,
  bank(0, 'failed'),
  { do: 'payout', part: 50 } as const,
  { do: 'jobs' } as const,
  bank(1, 'failed'),
  { do: 'callOff', payout: 0 } as const,
  { do: 'account', state: 'rejected' } as const,
  { do: 'jobs' } as const,
  { do: 'account', state: 'active' } as const,
  { do: 'payout', part: 100 } as const,
  { do: 'jobs' } as const,
].map((doing) => ({ ...doing, death: null }));

/** The process dies before the disputed amount is held, and the dealer answers before the dispute is completed. */
export const answered: Act[] = [
  { ...pay(0), death: null },
  { ...about('dispute', 0, 100), death: { write: 4, isBehind: false } },
  { ...about('answer', 0, 1), death: null },
  { do: 'jobs', death: null },
  { ...decide(0, 'LOST'), death: null },
];

const chargeBack = (index: number, part: number, isInquiry = false): Doing => ({
  do: 'chargeback',
  payment: index,
  part,
  isInquiry,
});
const judge = (index: number, isWon: boolean): Doing => ({ do: 'judge', chargeback: index, isWon });

/**
 * Banks charge back partial and whole amounts, after a refund, a payout and a dispute, and in two currencies. Some
 * chargebacks are won, and an inquiry becomes a chargeback.
 */
export const chargedBack: Act[] = [
  pay(0),
  about('refund', 0, 30),
  chargeBack(0, 60),
  { do: 'jobs' } as const,
  about('refund', 0, 10),
  judge(0, true),
  { do: 'jobs' } as const,
  about('refund', 0, 10),
  pay(1),
  { do: 'payout', part: 100 } as const,
  { do: 'jobs' } as const,
  about('dispute', 1, 50),
  chargeBack(1, 100),
  { do: 'jobs' } as const,
  { do: 'payout', part: 100 } as const,
  judge(1, false),
  pay(2),
  chargeBack(2, 40, true),
  { do: 'jobs' } as const,
  judge(2, false),
  { do: 'day' } as const,
  judge(2, false),
].map((doing) => ({ ...doing, death: null }));
