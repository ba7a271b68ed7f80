import { reads, scoped } from '../../../platform/installation/scoped.ts';
import { ListingModel } from '../../listings/listing/record/model.ts';
import { DealerModel, type DealerRecord } from '../../people/dealer/model.ts';
import { DisputeModel, type DisputeRecord } from '../dispute/record/model.ts';
import { PaymentModel, type PaymentRecord } from '../payment/record/model.ts';
import { PayoutModel, type PayoutRecord } from '../payout/model.ts';
import { RefundModel, type RefundRecord } from '../refund/record/model.ts';
import type { MoneyEvent } from './MoneyEvent.ts';

/** The current records of money events, by id. */
export interface MoneyRecords {
  payments: ReadonlyMap<string, PaymentRecord>;
  refunds: ReadonlyMap<string, RefundRecord>;
  disputes: ReadonlyMap<string, DisputeRecord>;
  payouts: ReadonlyMap<string, PayoutRecord>;
  dealers: ReadonlyMap<string, DealerRecord>;
  /** Titles by listing; listings without a title are left out. */
  titles: ReadonlyMap<string, string>;
}

/** Loads the records of events, in six commands for any number of events. */
export async function findMoneyRecords(
  installationId: string,
  events: readonly MoneyEvent[],
): Promise<MoneyRecords> {
  const named = (type: MoneyEvent['object']['type']) => ({
    _id: { $in: events.flatMap(({ object }) => (object.type === type ? [object.id] : [])) },
  });
  const [refunds, disputes, payouts] = await Promise.all([
    scoped(RefundModel, installationId).find(named('refund')),
    scoped(DisputeModel, installationId).find(named('dispute')),
    scoped(PayoutModel, installationId).find(named('payout')),
  ]);
  const paymentIds = [...named('payment')._id.$in, ...[...refunds, ...disputes].map((one) => one.paymentId)];
  const payments = await scoped(PaymentModel, installationId).find({ _id: { $in: paymentIds } });
  const dealerIds = [
    ...payments.flatMap(({ payee }) => (payee.type === 'dealer' ? [payee.id] : [])),
    ...payouts.map(({ dealerId }) => dealerId),
  ];
  const [dealers, listings] = await Promise.all([
    reads(DealerModel, installationId).find({ _id: { $in: dealerIds } }),
    reads(ListingModel, installationId).find(
      { _id: { $in: payments.map(({ listingId }) => listingId) } },
      { projection: { title: 1 } },
    ),
  ]);
  return {
    payments: byId(payments),
    refunds: byId(refunds),
    disputes: byId(disputes),
    payouts: byId(payouts),
    dealers: byId(dealers),
    titles: new Map(listings.flatMap(({ _id, title }) => (title ? [[_id, title]] : []))),
  };
}

function byId<R extends { _id: string }>(records: readonly R[]): ReadonlyMap<string, R> {
  return new Map(records.map((record) => [record._id, record]));
}
