import { randomUUID } from 'node:crypto';
import { DisputeModel } from '../../../subgraphs/identity/dispute/model.ts';
import { holdDisputed } from '../../../subgraphs/identity/dispute/postDispute.ts';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';
import { sellThrough } from '../../support/sellThrough.ts';
import { type ItemName, namesOf } from '../Item.ts';
import type { Cell, Operation } from '../Operation.ts';
import { storeDispute } from '../storeDispute.ts';
import { storeRefund } from '../storeRefund.ts';

const payments = [
  'payment',
  'paymentPrivate',
  'paymentElsewhere',
  'paymentNever',
] as const satisfies readonly ItemName[];
const disputes = [
  'dispute',
  'disputePrivate',
  'disputeElsewhere',
  'disputeNever',
] as const satisfies readonly ItemName[];

/** A sale of the same parties, where one is needed that nothing has happened to yet. */
async function sold({ item, world, isAnswered }: Cell): Promise<string> {
  if (!isAnswered || !item) return item?.id ?? '';
  const { stack } = world.app;
  const parties =
    item.owner === 'garage'
      ? { payerId: newId('user'), dealerId: world.garage.id }
      : { payerId: world.ids.seller, dealerId: newId('dealer') };
  return sellThrough(stack, world.shop.installation, { ...parties, heldDays: 0 });
}

/** A dispute of the same parties, whose amount is kept back. */
async function fresh({ item, world, isAnswered }: Cell): Promise<string> {
  if (!isAnswered || !item) return item?.id ?? '';
  const installationId = world.shop.installation.id;
  const { platform } = world.app.stack;
  const id =
    item.owner === 'garage'
      ? await storeDispute(installationId, newId('user'), world.garage.id)
      : await storeDispute(installationId, world.ids.seller, newId('dealer'));
  const dispute = await scoped(DisputeModel, installationId).findOne({ _id: id });
  if (dispute) await holdDisputed({ installationId, platform }, dispute);
  return id;
}

/** A refund that nobody tries any more, where one is needed that nothing has happened to yet. */
async function failed({ item, world, isAnswered }: Cell): Promise<string> {
  if (!isAnswered || !item) return item?.id ?? '';
  const about = { paymentId: newId('payment'), dealerId: world.garage.id };
  return storeRefund(world.shop.installation.id, about, { state: 'failed', givenUpAt: new Date() });
}

/** In GraphQL names of enums are upper case. */
const withKey = (path: Record<string, string>, body: object, enums: object = {}) => ({
  variables: { input: { ...path, ...body, ...enums, idempotencyKey: randomUUID() } },
  path,
  body,
});

const foreign = { status: 403, code: 'ownership_required' } as const;

/** Refunds and disputes. */
export const disputeOperations: readonly Operation[] = [
  {
    field: 'Mutation.createRefund',
    source: 'manager of the dealer that is paid, or payments:refund; a key',
    rule: { kind: 'owner', or: 'payments:refund' },
    routes: { 'POST /api/v1/payments/{paymentId}/refunds': 201 },
    selection: 'refund { id }',
    cases: payments.map((item) => ({
      item,
      call: async (cell) => {
        const body = { reason: 'other', amount: { amount: 100, currency: 'EUR' } };
        return withKey({ paymentId: await sold(cell) }, body, { reason: 'OTHER' });
      },
      // Who pays does not pay himself back.
      meaning: ({ who, item }) => (item?.owner === 'seller' && who === 'seller' ? foreign : null),
    })),
  },
  {
    field: 'Query.failedRefunds',
    source: 'no route: finance sees what no provider could pay back',
    rule: { kind: 'holds any', permissions: ['payments:refund'] },
    selection: 'nodes { id }',
    cases: [{ call: () => ({ variables: {} }) }],
    check: (data, { world }) => {
      const listed = data.nodes.map(({ id }: { id: string }) => id);
      expect(listed).toContain(world.items.refund.id);
      expect(listed).not.toContain(world.items.refundElsewhere.id);
    },
  },
  ...(['retryRefund', 'settleRefund'] as const).map(
    (name): Operation => ({
      field: `Mutation.${name}`,
      source: 'no route: finance goes on with what no provider could pay back; recent sign-in',
      rule: { kind: 'holds any', permissions: ['payments:refund'] },
      stepUp: true,
      selection: 'refund { id }',
      cases: namesOf('refund').map((item) => ({
        item,
        call: async (cell) => {
          const more = name === 'settleRefund' ? { reference: 'Transfer 17' } : {};
          return { variables: { input: { refundId: await failed(cell), ...more } } };
        },
        meaning: ({ item }) => (item?.where === 'here' ? null : { status: 404, code: 'not_found' }),
      })),
    }),
  ),
  {
    field: 'Mutation.openDispute',
    source: 'who pays',
    rule: { kind: 'owner' },
    routes: { 'POST /api/v1/payments/{paymentId}/disputes': 201 },
    selection: 'dispute { id }',
    cases: payments.map((item) => ({
      item,
      call: async (cell) =>
        withKey({ paymentId: await sold(cell) }, { reason: 'other', text: 'No.' }, { reason: 'OTHER' }),
      meaning: ({ item }) => (item?.owner === 'garage' ? foreign : null),
    })),
  },
  {
    field: 'Mutation.submitDisputeEvidence',
    source: 'either party',
    rule: { kind: 'owner' },
    routes: { 'POST /api/v1/disputes/{disputeId}/evidence': 201 },
    selection: 'dispute { id }',
    cases: disputes.map((item) => ({
      item,
      call: async (cell) => withKey({ disputeId: await fresh(cell) }, { text: 'Look.' }),
    })),
  },
  {
    field: 'Mutation.withdrawDispute',
    source: 'the payer',
    rule: { kind: 'owner' },
    selection: 'dispute { id }',
    cases: disputes.map((item) => ({
      item,
      call: async (cell) => withKey({ disputeId: await fresh(cell) }, {}),
      meaning: ({ item }) => (item?.owner === 'garage' ? foreign : null),
    })),
  },
  {
    field: 'Mutation.resolveDispute',
    source: 'disputes:resolve; step-up; nobody of either side; a key',
    rule: { kind: 'holds', permission: 'disputes:resolve', reach: 'not_found' },
    stepUp: true,
    routes: { 'POST /api/v1/admin/disputes/{disputeId}/resolve': 200 },
    selection: 'dispute { id }',
    cases: disputes
      .filter((item) => item !== 'disputePrivate')
      .map((item) => ({
        item,
        call: async (cell) =>
          withKey(
            { disputeId: await fresh(cell) },
            { outcome: 'won', statement: 'As it is.' },
            { outcome: 'WON' },
          ),
      })),
  },
];
