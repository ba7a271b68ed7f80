import type { MailTemplate } from '../../mail/MailTemplate.ts';
import type { MoneyMails } from '../../mail/MoneyMails.ts';
import type { DealerRecord } from '../../people/dealer/model.ts';
import { amountChanged, takenMeanwhile, withdrawnMeanwhile } from '../payment/progress/decide.ts';
import type { PaymentRecord } from '../payment/record/model.ts';
import type { MoneyRecords } from './findMoneyRecords.ts';
import type { MoneyEvent } from './MoneyEvent.ts';

/** A mail without its recipient: the recipients, and the data of the text except their names. */
export interface Letter {
  template: keyof MoneyMails & MailTemplate;
  readers: readonly string[];
  data: Readonly<Record<string, string>>;
}

/** Returns the members of a dealer who get mails about its payments. */
const mostTold = 10;

/** Returns the mails for an event, unless a later change has made them obsolete. */
export function lettersOf(event: MoneyEvent, records: MoneyRecords): Letter[] {
  const { type, object } = event;
  if (object.type === 'payout') return ofPayout(type, records, object.id);
  const about = findAbout(object, records);
  if (!about) return [];
  const { payment, amount } = about;
  const title = records.titles.get(payment.listingId) ?? payment.listingId;
  const own = { title, amount: `${amount} ${payment.currency}` };
  const payer = [payment.payer.userId];
  const leading = leadersOf(records.dealers.get(payment.payee.id));
  const write = (
    template: Letter['template'],
    readers: readonly string[],
    data: Letter['data'] = {},
  ): Letter => ({ template, readers, data: { ...own, ...data } });
  const { purpose } = payment;
  const untilAt = payment.authorizationExpiresAt?.toISOString() ?? '';
  const outcome = event.payload.state;
  switch (type) {
    case 'payment.authorized':
      return payment.state === 'authorized' ? [write('paymentAuthorized', leading, { untilAt })] : [];
    case 'payment.expiring':
      return payment.state === 'authorized' ? [write('paymentExpires', leading, { untilAt })] : [];
    case 'payment.succeeded':
      return [
        write('paymentReceipt', payer, { purpose, receiptNumber: payment.receiptNumber ?? '' }),
        write('paymentReceived', leading, { purpose }),
      ];
    case 'payment.failed':
      return [write('paymentFailed', payer)];
    case 'payment.canceled':
      if (isTransferAwaited(payment)) return [write('transferEnded', payer)];
      if (hasTransferred(payment)) return [write('transferReturned', payer, { taken: takenOf(payment) })];
      return ofEnd(payment).map((taken) => write('paymentReleased', payer, { taken }));
    case 'payment.charged_back':
      return [write('paymentChargedBack', leading, chargebackOf(event))];
    case 'payment.chargeback_returned':
      return [write('chargebackReturned', leading, chargebackOf(event))];
    case 'refund.succeeded':
      return [write('refundSent', payer)];
    case 'dispute.opened':
      return [write('disputeOpened', leading, { respondByAt: about.respondBy?.toISOString() ?? '' })];
    case 'dispute.decided':
      return [write('disputeDecided', [...payer, ...leading], { outcome })];
    case 'dispute.withdrawn':
      return [write('disputeDecided', leading, { outcome })];
    default:
      return [];
  }
}

/** Returns the amount that a bank moved, which replaces that of the payment. */
function chargebackOf({ payload }: MoneyEvent): Letter['data'] {
  const moved = 'chargeback' in payload ? payload.chargeback : undefined;
  return moved ? { amount: `${moved.amount} ${moved.currency}` } : {};
}

interface About {
  payment: PaymentRecord;
  amount: number;
  respondBy?: Date;
}

function findAbout({ type, id }: MoneyEvent['object'], records: MoneyRecords): About | null {
  const { payments, refunds, disputes } = records;
  const part = type === 'refund' ? refunds.get(id) : disputes.get(id);
  const payment = payments.get(type === 'payment' ? id : (part?.paymentId ?? ''));
  if (!payment) return null;
  if (part)
    return { payment, amount: part.amount, ...('respondBy' in part && { respondBy: part.respondBy }) };
  const isCaptured = payment.state === 'succeeded';
  return { payment, amount: isCaptured ? payment.amountCaptured : payment.amount };
}

/** Returns whether the payer has the account details for a transfer, which has not arrived. */
function isTransferAwaited(payment: PaymentRecord): boolean {
  const { provider, authorizedAt, failure } = payment;
  return provider === 'manual' && authorizedAt === null && failure === null && !hasTransferred(payment);
}

/** Returns whether the payer's transfer arrived before the payment ended, so that finance has to return it. */
function hasTransferred({ amountToReturn }: PaymentRecord): boolean {
  return typeof amountToReturn === 'number';
}

/** Returns whether another buyer was faster, as the texts read it. */
function takenOf({ failure }: PaymentRecord): 'true' | 'false' {
  return failure?.code === takenMeanwhile.code ? 'true' : 'false';
}

/** Returns the mails about the end of a payment. A user who canceled before the authorization gets none. */
function ofEnd(payment: PaymentRecord): ('true' | 'false')[] {
  const { failure, authorizedAt } = payment;
  if (takenOf(payment) === 'true') return ['true'];
  if (failure?.code === amountChanged.code || failure?.code === withdrawnMeanwhile.code) return ['false'];
  return authorizedAt === null ? [] : ['false'];
}

function ofPayout(type: string, { payouts, dealers }: MoneyRecords, id: string): Letter[] {
  const payout = payouts.get(id);
  const dealer = payout && dealers.get(payout.dealerId);
  if (!dealer) return [];
  const { amount, currency } = payout.amount;
  const data = { tradeName: dealer.tradeName, amount: `${amount} ${currency}` };
  const readers = dealer.members.filter(({ role }) => role === 'owner').map(({ userId }) => userId);
  const isGone = payout.state === 'in_transit' || payout.state === 'paid';
  if (type === 'payout.sent' && isGone) return [{ template: 'payoutSent', readers, data }];
  return type === 'payout.failed' ? [{ template: 'payoutFailed', readers, data }] : [];
}

/** Returns the managers and owners of a dealer, owners first. */
function leadersOf(dealer: DealerRecord | undefined): string[] {
  const of = (wanted: string) => dealer?.members.filter(({ role }) => role === wanted) ?? [];
  return [...of('owner'), ...of('manager')].slice(0, mostTold).map(({ userId }) => userId);
}
