import type { ProviderPayment } from '../../payment-provider/PaymentProvider.ts';
import type { PaymentRecord, StoredOperation } from '../record/model.ts';
import { isAllowed, type PaymentState, paymentStates } from '../record/states.ts';
import { amountChanged, decide, takenMeanwhile } from './decide.ts';

const now = Date.parse('2026-11-25T12:00:00Z');
const answers = [
  'requires_payment_method',
  'requires_action',
  'processing',
  'authorized',
  'succeeded',
  'canceled',
] as const satisfies readonly ProviderPayment['state'][];
type Answer = (typeof answers)[number];
type Kind = StoredOperation['kind'];

const [method, action, working, authorized] = [
  'requires_payment_method',
  'requires_action',
  'processing',
  'authorized',
] as const;

/** The payment stays as it is. */
const same = '=';
/** Outcomes by answer, each as `state pending-operation effect`. */
type Row = Record<Answer, string>;
const row = (...outcomes: [string, string, string, string, string, string]): Row =>
  Object.fromEntries(answers.map((answer, index) => [answer, outcomes[index]])) as Row;

const taken = 'succeeded - fulfil';
const released = 'canceled - release';
const held = { automatic: 'processing capture hold', manual: 'authorized - hold' };
/** While a capture or cancellation is pending, only an answer that the provider never takes back counts. */
const pending = (end: string) => row(same, same, same, same, taken, end);
const never = row(same, same, same, same, same, same);
const over = row(same, same, same, same, same, '= -');

const rowsOf = (captureMethod: 'automatic' | 'manual'): Record<PaymentState, Record<Kind | 'none', Row>> => {
  const hold = held[captureMethod];
  const waits = row(`${method} -`, `${action} -`, `${working} -`, hold, taken, released);
  const waiting = {
    none: waits,
    create: waits,
    capture: pending(released),
    cancel: pending(released),
  };
  const bank = row(`${working} cancel`, `${working} -`, `${working} -`, hold, taken, 'failed - release');
  const kept = row(
    `${authorized} -`,
    `${authorized} -`,
    `${authorized} -`,
    `${authorized} -`,
    taken,
    released,
  );
  const failed = 'failed - release';
  const left = row('= -', '= -', '= -', '= cancel', '= -', '= -');
  const ended = { none: left, create: left, capture: over, cancel: over };
  const done = row('= -', '= -', '= -', '= -', '= -', '= -');
  return {
    requires_payment_method: waiting,
    requires_action: waiting,
    processing: { none: bank, create: bank, capture: pending(failed), cancel: pending(failed) },
    authorized: {
      none: kept,
      create: kept,
      capture: pending(released),
      cancel: pending(released),
    },
    succeeded: { none: done, create: done, capture: never, cancel: never },
    failed: ended,
    canceled: ended,
  };
};

const cases = (['automatic', 'manual'] as const).flatMap((captureMethod) =>
  paymentStates.flatMap((state) =>
    (['none', 'create', 'capture', 'cancel'] as const).flatMap((kind) =>
      answers.map((answer) => {
        const outcome = rowsOf(captureMethod)[state][kind][answer];
        return { captureMethod, state, kind, answer, outcome };
      }),
    ),
  ),
);

const stored = (state: PaymentState, kind: Kind | 'none', captureMethod: 'automatic' | 'manual') =>
  ({
    state,
    captureMethod,
    amount: 1000,
    amountCapturable: state === 'authorized' ? 1000 : 0,
    amountCaptured: state === 'succeeded' ? 1000 : 0,
    failure: null,
    fee: null,
    operation: kind === 'none' ? null : { kind, amount: kind === 'capture' ? 1000 : null },
  }) as unknown as PaymentRecord;
const said = (state: Answer): ProviderPayment => ({
  ref: 'pi_1',
  paymentId: 'pay_1',
  state,
  amount: 1000,
  currency: 'EUR',
  amountCapturable: state === 'authorized' ? 1000 : 0,
  amountCaptured: state === 'succeeded' ? 1000 : 0,
  clientSecret: null,
  action: null,
  refusal: null,
  authorizedUntil: null,
  providerFee: null,
  amountToReturn: 0,
});

test('the decision table has a row for every state, pending operation, answer and capture method', () => {
  expect(cases).toHaveLength(7 * 4 * 6 * 2);
});

test.each(cases)(
  '$captureMethod, $state, pending $kind: the answer $answer leads to "$outcome"',
  ({ captureMethod, state, kind, answer, outcome }) => {
    const before = stored(state, kind, captureMethod);
    const { changes, effect } = decide(before, said(answer), now);
    const after = { ...before, ...changes };
    const pendingKind = (one: PaymentRecord) => one.operation?.kind ?? '-';
    const [wantedState = same, wantedKind = pendingKind(before), wantedEffect = null] = outcome.split(' ');
    expect([after.state, pendingKind(after), effect]).toEqual([
      wantedState === same ? state : wantedState,
      wantedKind,
      wantedEffect,
    ]);
    if (after.state !== state) expect(isAllowed(state, after.state)).toBe(true);
  },
);

test('a payment that is taken records the amount that the provider took', () => {
  const { changes } = decide(stored('processing', 'capture', 'automatic'), said('succeeded'), now);
  expect(changes).toMatchObject({
    amountCaptured: 1000,
    amountCapturable: 0,
    endsAt: null,
    capturedAt: new Date(now),
  });
});

test('a payment that is authorized ends when the provider says, and after a week unless it says', () => {
  const inDays = (days: number) => new Date(now + days * 24 * 3600_000);
  const waiting = stored('requires_action', 'none', 'manual');
  for (const [authorizedUntil, endsAt] of [
    [inDays(3), inDays(3)],
    [null, inDays(7)],
  ])
    expect(
      decide(waiting, { ...said('authorized'), authorizedUntil: authorizedUntil ?? null }, now),
    ).toMatchObject({
      changes: { endsAt, authorizationExpiresAt: endsAt, amountCapturable: 1000 },
    });
});

const earlier = { code: 'card_declined', declineCode: 'stolen', message: 'Earlier.' };
const later = { code: 'card_declined', declineCode: 'lost', message: 'Later.' };

test.each<[string, PaymentState, Answer]>([
  ['waits for another card', 'requires_action', 'requires_payment_method'],
  ['is to be cancelled', 'processing', 'requires_payment_method'],
])(
  'a payment that %s records the latest refusal, and keeps it if the provider states none',
  (_, state, answer) => {
    const before = { ...stored(state, 'none', 'automatic'), failure: earlier };
    expect(decide(before, { ...said(answer), refusal: later }, now).changes.failure).toEqual(later);
    expect(decide(before, said(answer), now).changes.failure).toEqual(earlier);
  },
);

test('a payment that ends keeps why it was to end, else it records why the provider ended it', () => {
  const ended = { ...said('canceled'), refusal: later };
  const before = stored('processing', 'cancel', 'automatic');
  expect(decide({ ...before, failure: earlier }, ended, now).changes.failure).toEqual(earlier);
  expect(decide(before, ended, now).changes.failure).toEqual(later);
});

test('a payment that is taken in part owes the commission of that part', () => {
  const frozen = { rateBps: 1000, fixed: 50, taxRateBps: 2000, frozenAt: new Date(0) };
  const before = {
    ...stored('authorized', 'capture', 'manual'),
    fee: { ...frozen, amount: 150, taxAmount: 30 },
  };
  const { changes } = decide(before, { ...said('succeeded'), amountCaptured: 500 }, now);
  expect(changes.fee).toEqual({ ...frozen, amount: 100, taxAmount: 20 });
});

test('a payer gets a code for why nothing was taken', () => {
  expect([takenMeanwhile.code, amountChanged.code]).toEqual(['listing_not_available', 'amount_changed']);
});
