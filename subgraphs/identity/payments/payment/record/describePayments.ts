import type { FeedEntry } from '../../../../platform/events/model.ts';
import type { EventSubject } from '../../../../platform/events/toEvents.ts';
import { toFeed, toParties } from '../../../kernel/announcement/parties.ts';
import type { PaymentRecord } from './model.ts';

/** Returns the parties who may read a payment: the payer, and the managers and owners of the dealer that is paid. */
export function partiesOf({ payer, payee }: Pick<PaymentRecord, 'payer' | 'payee'>): string[] {
  return [
    payer.userId,
    ...(payee.type === 'dealer' ? toParties({ type: 'dealer', id: payee.id }, 'managers') : []),
  ];
}

/** Returns payments for publication, without data of the provider and texts of users. */
export async function describePayments(payments: readonly PaymentRecord[]): Promise<EventSubject[]> {
  return payments.map((payment) => ({
    object: { type: 'payment' as const, id: payment._id },
    contentVersion: payment.version,
    content: null,
    feedOf: ({ data = {} }) =>
      toFeed(partiesOf(payment), { ...factsOf(payment), ...(data as FeedEntry['data']) }),
  }));
}

function factsOf({ purpose, amount, currency, listingId, payee }: PaymentRecord) {
  const dealerId = payee.type === 'dealer' ? payee.id : null;
  return { purpose, amount: { amount, currency }, listingId, dealerId };
}
