import { postHold } from '../../../subgraphs/identity/payments/dispute/postDispute.ts';
import { DisputeModel } from '../../../subgraphs/identity/payments/dispute/record/model.ts';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';
import { inTransaction } from '../../../subgraphs/platform/mongo/inTransaction.ts';
import { sellThrough } from '../../support/people/sellThrough.ts';
import { idsIn, onFresh, writing, writingOnce } from '../matrix/calls.ts';
import type { Cell, Operation } from '../matrix/Operation.ts';
import { type ItemName, namesOf } from '../world/Item.ts';
import { foreign, onlyHere } from '../world/meanings.ts';
import { storeDispute } from '../world/storeDispute.ts';
import { storeRefund } from '../world/storeRefund.ts';

const payments: readonly ItemName[] = ['payment', 'paymentPrivate', 'paymentElsewhere', 'paymentNever'];
const disputes: readonly ItemName[] = ['dispute', 'disputePrivate', 'disputeElsewhere', 'disputeNever'];

/** Buyer and seller of the item. */
const partiesOf = ({ item, world }: Cell) =>
  item?.owner === 'garage'
    ? { payerId: newId('user'), dealerId: world.garage.id }
    : { payerId: world.ids.seller, dealerId: newId('dealer') };

/** A new sale of the same parties. */
const sold = (cell: Cell): Promise<string> =>
  sellThrough(cell.world.app.stack, cell.world.shop.installation, { ...partiesOf(cell), heldDays: 0 });

/** A new dispute of the same parties, whose amount is held back. */
async function disputed(cell: Cell): Promise<string> {
  const { shop, app } = cell.world;
  const { payerId, dealerId } = partiesOf(cell);
  const installationId = shop.installation.id;
  const id = await storeDispute(installationId, payerId, dealerId);
  const dispute = await scoped(DisputeModel, installationId).findOne({ _id: id });
  const scope = { installationId, platform: app.stack.platform };
  if (dispute) await inTransaction((session) => postHold(scope, dispute, session));
  return id;
}

/** A new refund that failed permanently. */
const failed = ({ world }: Cell): Promise<string> =>
  storeRefund(
    world.shop.installation.id,
    { paymentId: newId('payment'), dealerId: world.garage.id },
    { state: 'failed', givenUpAt: new Date() },
  );

/** Refunds and disputes. */
export const disputeOperations: readonly Operation[] = [
  {
    field: 'Mutation.createRefund',
    rule: { kind: 'owner', or: 'payments:refund' },
    selection: 'refund { id }',
    cases: onFresh(
      payments,
      sold,
      (paymentId) => {
        const amount = { amount: 100, currency: 'EUR' };
        return writingOnce({ paymentId }, { reason: 'other', amount }, { reason: 'OTHER' });
      },
      // The payer cannot refund the payment.
      { meaning: ({ who, item }) => (item?.owner === 'seller' && who === 'seller' ? foreign : null) },
    ),
  },
  {
    field: 'Query.failedRefunds',
    rule: { kind: 'holds any', permissions: ['payments:refund'] },
    selection: 'nodes { id }',
    check: (data, { world }) => {
      expect(idsIn(data)).toContain(world.items.refund.id);
      expect(idsIn(data)).not.toContain(world.items.refundElsewhere.id);
    },
  },
  ...(['retryRefund', 'settleRefund'] as const).map(
    (name): Operation => ({
      field: `Mutation.${name}`,
      rule: { kind: 'holds any', permissions: ['payments:refund'] },
      stepUp: true,
      selection: 'refund { id }',
      cases: onFresh(
        namesOf('refund'),
        failed,
        (refundId) => writing({ refundId }, name === 'settleRefund' ? { reference: 'Transfer 17' } : {}),
        { meaning: onlyHere },
      ),
    }),
  ),
  {
    field: 'Mutation.openDispute',
    rule: { kind: 'owner' },
    selection: 'dispute { id }',
    cases: onFresh(
      payments,
      sold,
      (paymentId) => writingOnce({ paymentId }, { reason: 'other', text: 'No.' }, { reason: 'OTHER' }),
      { meaning: ({ item }) => (item?.owner === 'garage' ? foreign : null) },
    ),
  },
  {
    field: 'Mutation.submitDisputeEvidence',
    rule: { kind: 'owner' },
    selection: 'dispute { id }',
    cases: onFresh(disputes, disputed, (disputeId) => writingOnce({ disputeId }, { text: 'Look.' })),
  },
  {
    field: 'Mutation.withdrawDispute',
    rule: { kind: 'owner' },
    selection: 'dispute { id }',
    cases: onFresh(disputes, disputed, (disputeId) => writingOnce({ disputeId }), {
      meaning: ({ item }) => (item?.owner === 'garage' ? foreign : null),
    }),
  },
  {
    field: 'Mutation.resolveDispute',
    rule: { kind: 'holds', permission: 'disputes:resolve', reach: 'not_found' },
    stepUp: true,
    selection: 'dispute { id }',
    cases: onFresh(namesOf('dispute'), disputed, (disputeId) =>
      writingOnce({ disputeId }, { outcome: 'won', statement: 'As it is.' }, { outcome: 'WON' }),
    ),
  },
];
