import { randomUUID } from 'node:crypto';
import { signatureHeader } from '../../../subgraphs/identity/payment-provider/verifySignature.ts';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { type ItemName, namesOf } from '../Item.ts';
import { isUnverified, unverified } from '../meanings.ts';
import type { Cell, Operation } from '../Operation.ts';
import { hasRole, isMember, owns } from '../rules.ts';
import { sandboxSecretOf, storePayment, storePaymentMethod } from '../storePayment.ts';

const payments = [
  'payment',
  'paymentPrivate',
  'paymentElsewhere',
  'paymentNever',
] as const satisfies readonly ItemName[];
const received = namesOf('payment');
const dealers = namesOf('dealer');
const methods = namesOf('method');

const owned = ({ item }: Cell) => ({
  variables: { paymentId: item?.id },
  path: { paymentId: item?.id ?? '' },
});

/** A payment of the same parties, where one is needed that nothing has happened to yet. */
async function fresh(
  { item, world, isAnswered }: Cell,
  changes: Parameters<typeof storePayment>[3] = {},
): Promise<string> {
  if (!isAnswered || !item) return item?.id ?? '';
  const here = world.shop.installation.id;
  if (item.owner === 'garage') return storePayment(here, newId('user'), world.garage.id, changes);
  return storePayment(here, world.ids.seller, newId('dealer'), {
    state: 'requires_payment_method',
    ...changes,
  });
}

const withKey = (paymentId: string, body: object = {}) => ({
  variables: { input: { paymentId, ...body, idempotencyKey: randomUUID() } },
  path: { paymentId },
  body,
});

/** Payments. */
export const paymentOperations: readonly Operation[] = [
  {
    field: 'Query.payments',
    source: 'payer, or manager of the dealer that is paid; 403 for the dealer of others',
    rule: { kind: 'signed in' },
    scope: 'payments:read',
    routes: { 'GET /api/v1/payments': 200 },
    selection: 'nodes { id }',
    cases: [
      { name: 'of everybody', call: () => ({ variables: {} }) },
      ...dealers.map((item) => ({
        item,
        call: ({ item }: Cell) => ({
          variables: { dealerId: item?.id },
          query: { dealerId: item?.id ?? '' },
        }),
        meaning: ({ item, who }: Cell) => {
          if (item?.where !== 'here') return { status: 404, code: 'not_found' };
          if (!isMember(who, item)) return { status: 403, code: 'ownership_required' };
          return hasRole(who, 'manager') ? null : { status: 403, code: 'dealer_role_required' };
        },
      })),
    ],
    check: (data, { who, world }) => {
      const listed = new Set((data.nodes ?? data.data).map(({ id }: { id: string }) => id));
      for (const name of payments) {
        const item = world.items[name];
        if (item.where !== 'here' || !owns(who, item)) expect(listed.has(item.id)).toBe(false);
      }
    },
  },
  {
    field: 'Query.payment',
    source: 'either party, or payments:read',
    rule: { kind: 'owner', or: 'payments:read' },
    scope: 'payments:read',
    routes: { 'GET /api/v1/payments/{paymentId}': 200 },
    selection: 'id',
    cases: payments.map((item) => ({ item, call: owned })),
    check: (data, { item }) => expect(data.id).toBe(item?.id),
  },
  {
    field: 'Query.adminPayments',
    source: 'payments:read',
    rule: { kind: 'holds any', permissions: ['payments:read'] },
    routes: { 'GET /api/v1/admin/payments': 200 },
    selection: 'nodes { id }',
    cases: [{ call: () => ({ variables: {} }) }],
    check: (data, { world }) => {
      const listed = (data.nodes ?? data.data).map(({ id }: { id: string }) => id);
      expect(listed).not.toContain(world.items.paymentElsewhere.id);
    },
  },
  {
    field: 'Mutation.createPayment',
    source:
      'n 91: authenticated; a promotion by who owns the listing; 403 email_unverified; 422 elsewhere; a key',
    rule: { kind: 'signed in' },
    routes: { 'POST /api/v1/payments': 201 },
    selection: 'payment { id }',
    cases: (['published', 'elsewhere', 'never'] as const).map((item) => ({
      item,
      call: ({ item }) => {
        const body = { purpose: 'promotion', promotion: 'top', listingId: item?.id };
        const input = { ...body, purpose: 'PROMOTION', promotion: 'TOP', idempotencyKey: randomUUID() };
        return { variables: { input }, body };
      },
      meaning: (cell) => {
        if (isUnverified(cell)) return unverified;
        if (cell.item?.where !== 'here') return { status: 422, code: 'validation_failed' };
        return owns(cell.who, cell.item) ? null : { status: 403, code: 'ownership_required' };
      },
    })),
  },
  {
    field: 'Mutation.capturePayment',
    source: 'managers of the dealer that is paid; a key',
    rule: { kind: 'owner' },
    routes: { 'POST /api/v1/payments/{paymentId}/capture': 200 },
    selection: 'payment { state }',
    cases: received.map((item) => ({ item, call: async (cell: Cell) => withKey(await fresh(cell)) })),
    check: (data) => expect(String(data.state ?? data.payment.state).toLowerCase()).toBe('succeeded'),
  },
  {
    field: 'Mutation.cancelPayment',
    source: 'the payer before authorisation, managers of the dealer before capture',
    rule: { kind: 'owner' },
    routes: { 'POST /api/v1/payments/{paymentId}/cancel': 200 },
    selection: 'payment { state }',
    cases: payments.map((item) => ({ item, call: async (cell: Cell) => withKey(await fresh(cell)) })),
    check: (data) => expect(String(data.state ?? data.payment.state).toLowerCase()).toBe('canceled'),
  },
  {
    field: 'Mutation.bookPayment',
    source: 'no route: finance says that a transfer has come; recent sign-in',
    rule: { kind: 'holds any', permissions: ['payments:refund'] },
    stepUp: true,
    selection: 'payment { state }',
    cases: received.map((item) => ({
      item,
      call: async (cell: Cell) => {
        const paymentId = await fresh(cell, {
          state: 'requires_action',
          provider: 'manual',
          // Nothing is held for it: its listing is nobody's.
          purpose: 'promotion',
        });
        return withKey(paymentId, { amount: { amount: 12_300, currency: 'EUR' } });
      },
      meaning: ({ item }: Cell) => (item?.where === 'here' ? null : { status: 404, code: 'not_found' }),
    })),
    check: (data) => expect(data.payment.state).toBe('AUTHORIZED'),
  },
  {
    field: 'Query.myPaymentMethods',
    source: 'oneself',
    rule: { kind: 'signed in' },
    routes: { 'GET /api/v1/me/payment-methods': 200 },
    selection: 'id',
    cases: [{ call: () => ({ variables: {} }) }],
    check: (data, { who, world }) => {
      const listed = (data.data ?? data).map(({ id }: { id: string }) => id);
      if (who !== 'seller') expect(listed).not.toContain(world.items.method.id);
    },
  },
  {
    field: 'Mutation.createPaymentMethodSetup',
    source: 'oneself',
    rule: { kind: 'signed in' },
    routes: { 'POST /api/v1/me/payment-methods': 201 },
    selection: 'setup { clientSecret }',
    cases: [{ call: () => ({ variables: { input: {} }, body: {} }) }],
  },
  {
    field: 'Mutation.deletePaymentMethod',
    source: 'who keeps it',
    rule: { kind: 'owner' },
    routes: { 'DELETE /api/v1/me/payment-methods/{paymentMethodId}': 204 },
    selection: 'id',
    cases: methods.map((item) => ({
      item,
      call: async ({ item, world, isAnswered }: Cell) => {
        const id = isAnswered
          ? await storePaymentMethod(world.shop.installation.id, world.ids.seller)
          : (item?.id ?? '');
        return { variables: { input: { paymentMethodId: id } }, path: { paymentMethodId: id } };
      },
    })),
  },
  {
    field: 'Mutation.receivePaymentEvent',
    source: 'whoever signs with the secret of the provider',
    rule: { kind: 'public' },
    selection: 'received',
    cases: [
      {
        call: ({ world }) => {
          const { secrets, now } = world.app.stack.platform;
          const body = Buffer.from(JSON.stringify({ id: randomUUID(), type: 'test', object: null }));
          const signature = signatureHeader(secrets.derive('paymentSandbox').toString('hex'), now(), body);
          return { variables: { input: { provider: 'SANDBOX', body: body.toString('base64'), signature } } };
        },
      },
    ],
  },
  {
    field: 'Query.sandboxOrder',
    source: 'no route: stands for a page of a provider; the secret is the proof',
    rule: { kind: 'public' },
    selection: 'status',
    cases: received.map((item) => ({
      item,
      call: ({ item }: Cell) => ({ variables: { clientSecret: sandboxSecretOf(item?.id ?? '') } }),
    })),
    check: (data, { item }) => expect(data !== null).toBe(item?.where === 'here'),
  },
  {
    field: 'Mutation.answerSandbox',
    source: 'no route: stands for a page of a provider; the secret is the proof',
    rule: { kind: 'public' },
    selection: 'order { status }',
    cases: received.map((item) => ({
      item,
      call: async (cell: Cell) => {
        const id = await fresh(cell, { state: 'requires_payment_method' });
        return { variables: { input: { clientSecret: sandboxSecretOf(id), card: 'DECLINED' } } };
      },
      meaning: ({ item }: Cell) => (item?.where === 'here' ? null : { status: 404, code: 'not_found' }),
    })),
  },
];
