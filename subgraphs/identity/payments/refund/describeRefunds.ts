import type { FeedEntry } from '../../../platform/events/model.ts';
import type { EventSubject } from '../../../platform/events/toEvents.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { toFeed } from '../../kernel/announcement/parties.ts';
import { partiesOf } from '../payment/record/describePayments.ts';
import { PaymentModel, type PaymentRecord } from '../payment/record/model.ts';
import type { RefundRecord } from './record/model.ts';

/** Returns refunds for publication to the parties of their payments. */
export async function describeRefunds(refunds: readonly RefundRecord[]): Promise<EventSubject[]> {
  const payments = await findPayments(refunds);
  return refunds.map((refund) => {
    const payment = payments.get(refund.paymentId);
    return {
      object: { type: 'refund' as const, id: refund._id },
      contentVersion: refund.version,
      content: null,
      feedOf: ({ data = {} }) =>
        toFeed(payment ? partiesOf(payment) : [], { ...factsOf(refund), ...(data as FeedEntry['data']) }),
    };
  });
}

function factsOf({ paymentId, dealerId, amount, currency }: RefundRecord) {
  return { paymentId, dealerId, amount: { amount, currency } };
}

/** Loads payments, with one command for each installation. */
async function findPayments(refunds: readonly RefundRecord[]): Promise<ReadonlyMap<string, PaymentRecord>> {
  const found = await Promise.all(
    [...Map.groupBy(refunds, ({ installationId }) => installationId)].map(([installationId, own]) =>
      scoped(PaymentModel, installationId).find({
        _id: { $in: [...new Set(own.map(({ paymentId }) => paymentId))] },
      }),
    ),
  );
  return new Map(found.flat().map((payment) => [payment._id, payment]));
}
