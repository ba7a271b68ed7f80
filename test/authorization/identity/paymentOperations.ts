import { randomUUID } from 'node:crypto';
import { signatureHeader } from '../../../subgraphs/identity/payments/payment-provider/verifySignature.ts';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import {
  hasState,
  idsIn,
  isItem,
  ofDealers,
  once,
  onEach,
  onFresh,
  reading,
  writing,
  writingOnce,
} from '../matrix/calls.ts';
import type { Cell, Operation } from '../matrix/Operation.ts';
import { hasRole, isMember, owns } from '../matrix/rules.ts';
import { type ItemName, namesOf } from '../world/Item.ts';
import {
  foreign,
  invalid,
  isUnverified,
  notFound,
  onlyHere,
  roleRequired,
  unverified,
} from '../world/meanings.ts';
import { sandboxSecretOf, storePayment, storePaymentMethod } from '../world/storePayment.ts';

const payments: readonly ItemName[] = ['payment', 'paymentPrivate', 'paymentElsewhere', 'paymentNever'];
const received = namesOf('payment');

/** Stores a payment of the same parties. */
const storeLike =
  (changes: Parameters<typeof storePayment>[3] = {}) =>
  ({ item, world }: Cell): Promise<string> => {
    const here = world.shop.installation.id;
    if (item?.owner === 'garage') return storePayment(here, newId('user'), world.garage.id, changes);
    const unpaid = { state: 'requires_payment_method', ...changes } as const;
    return storePayment(here, world.ids.seller, newId('dealer'), unpaid);
  };

/** Payments. */
export const paymentOperations: readonly Operation[] = [
  {
    field: 'Query.payments',
    rule: { kind: 'signed in' },
    scope: 'payments:read',
    selection: 'nodes { id }',
    cases: ofDealers(namesOf('dealer'), ({ item, who }) => {
      if (item?.where !== 'here') return notFound;
      if (!isMember(who, item)) return foreign;
      return hasRole(who, 'manager') ? null : roleRequired;
    }),
    check: (data, { who, world }) => {
      const listed = new Set(idsIn(data));
      for (const name of payments) {
        const item = world.items[name];
        if (item.where !== 'here' || !owns(who, item)) expect(listed.has(item.id)).toBe(false);
      }
    },
  },
  {
    field: 'Query.payment',
    rule: { kind: 'owner', or: 'payments:read' },
    scope: 'payments:read',
    selection: 'id',
    cases: onEach(payments, (paymentId) => reading({ paymentId })),
    check: isItem,
  },
  {
    field: 'Query.adminPayments',
    rule: { kind: 'holds any', permissions: ['payments:read'] },
    selection: 'nodes { id }',
    check: (data, { world }) => expect(idsIn(data)).not.toContain(world.items.paymentElsewhere.id),
  },
  {
    field: 'Mutation.createPayment',
    rule: { kind: 'signed in' },
    selection: 'payment { id }',
    cases: onEach(
      ['published', 'elsewhere', 'never'],
      (listingId) => {
        const body = { purpose: 'promotion', promotion: 'top', listingId };
        return writingOnce({}, body, { purpose: 'PROMOTION', promotion: 'TOP' });
      },
      {
        meaning: (cell) => {
          if (isUnverified(cell)) return unverified;
          if (cell.item?.where !== 'here') return invalid;
          return owns(cell.who, cell.item) ? null : foreign;
        },
      },
    ),
  },
  {
    field: 'Mutation.capturePayment',
    rule: { kind: 'owner' },
    selection: 'payment { state }',
    cases: onFresh(received, storeLike(), (paymentId) => writingOnce({ paymentId })),
    check: hasState('payment', 'succeeded'),
  },
  {
    field: 'Mutation.cancelPayment',
    rule: { kind: 'owner' },
    selection: 'payment { state }',
    cases: onFresh(payments, storeLike(), (paymentId) => writingOnce({ paymentId })),
    check: hasState('payment', 'canceled'),
  },
  {
    field: 'Mutation.bookPayment',
    rule: { kind: 'holds any', permissions: ['payments:refund'] },
    stepUp: true,
    selection: 'payment { state }',
    cases: onFresh(
      received,
      // Its listing does not exist, so the payment is canceled and its transfer has to be returned.
      storeLike({ state: 'requires_action', provider: 'manual' }),
      (paymentId) => writingOnce({ paymentId }, { amount: { amount: 12_300, currency: 'EUR' } }),
      { meaning: onlyHere },
    ),
    check: hasState('payment', 'canceled'),
  },
  {
    field: 'Mutation.returnTransfer',
    rule: { kind: 'holds any', permissions: ['payments:refund'] },
    stepUp: true,
    selection: 'payment { amountToReturn { amount } }',
    cases: onFresh(
      received,
      storeLike({ state: 'canceled', provider: 'manual', amountToReturn: 12_300 }),
      (paymentId) => writingOnce({ paymentId }, { reference: 'T 17' }),
      { meaning: onlyHere },
    ),
    check: (data) => expect((data.payment ?? data).amountToReturn).toEqual({ amount: 0 }),
  },
  {
    field: 'Query.myPaymentMethods',
    rule: { kind: 'signed in' },
    selection: 'id',
    check: (data, { who, world }) => {
      const listed = (data.data ?? data).map(({ id }: { id: string }) => id);
      if (who !== 'seller') expect(listed).not.toContain(world.items.method.id);
    },
  },
  {
    field: 'Mutation.createPaymentMethodSetup',
    rule: { kind: 'signed in' },
    selection: 'setup { clientSecret }',
    cases: [once(() => writing({}, {}))],
  },
  {
    field: 'Mutation.deletePaymentMethod',
    rule: { kind: 'owner' },
    selection: 'id: deletedMethodId',
    cases: onFresh(
      namesOf('method'),
      ({ world }) => storePaymentMethod(world.shop.installation.id, world.ids.seller),
      (paymentMethodId) => writing({ paymentMethodId }),
    ),
  },
  {
    field: 'Mutation.receivePaymentEvent',
    rule: { kind: 'public' },
    selection: 'received',
    cases: [
      once(({ world }) => {
        const { secrets, now } = world.app.stack.platform;
        const body = Buffer.from(JSON.stringify({ id: randomUUID(), type: 'test', object: null }));
        const signature = signatureHeader(secrets.derive('paymentSandbox').toString('hex'), now(), body);
        return { variables: { input: { provider: 'SANDBOX', body: body.toString('base64'), signature } } };
      }),
    ],
  },
  // The pages of the sandbox identify a payment by its secret.
  {
    field: 'Query.sandboxOrder',
    rule: { kind: 'public' },
    selection: 'status',
    cases: onEach(received, (id) => ({ variables: { clientSecret: sandboxSecretOf(id) } })),
    check: (data, { item }) => expect(data !== null).toBe(item?.where === 'here'),
  },
  {
    field: 'Mutation.answerSandbox',
    rule: { kind: 'public' },
    selection: 'order { status }',
    cases: onFresh(
      received,
      storeLike({ state: 'requires_payment_method' }),
      (id) => writing({ clientSecret: sandboxSecretOf(id), card: 'DECLINED' }),
      { meaning: onlyHere },
    ),
  },
];
