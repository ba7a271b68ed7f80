import { scoped } from '../../../platform/installation/scoped.ts';
import { readPages } from '../../../platform/pagination/readPages.ts';
import type {
  ExportPart,
  LeavingUser,
  Obligation,
  PersonalData,
} from '../../kernel/personal-data/PersonalData.ts';
import { toReadable } from '../../kernel/personal-data/toReadable.ts';
import { DisputeModel, type DisputeRecord } from '../dispute/record/model.ts';
import { RefundModel, type RefundRecord } from '../refund/record/model.ts';
import { PaymentModel, type PaymentRecord } from './record/model.ts';
import { openPaymentsOf } from './record/openPayments.ts';

const pageSize = 100;

const payments: ExportPart = {
  file: 'payments.json',
  title: 'Payments',
  description:
    'Your completed and started payments, with their refunds and disputes. Amounts are in minor units, such as cents.',
  collections: ['payments', 'refunds', 'disputes'],
  async *records({ installationId, user }) {
    const all = scoped(PaymentModel, installationId);
    const pages = readPages(all, { 'payer.userId': user._id }, 'createdAt', pageSize);
    for await (const page of pages) yield* await withWhatCameOfThem(installationId, page);
  },
};

/** Adds refunds and disputes to payments, in two commands for a page. */
async function withWhatCameOfThem(installationId: string, page: readonly PaymentRecord[]): Promise<object[]> {
  if (page.length === 0) return [];
  const paymentId = { $in: page.map(({ _id }) => _id) };
  const [refunds, disputes] = await Promise.all([
    scoped(RefundModel, installationId).find({ paymentId }, { sort: { createdAt: 1 } }),
    scoped(DisputeModel, installationId).find({ paymentId }),
  ]);
  return page.map((payment) => {
    // The fee concerns only the payee; the other members are internal.
    const { fee: _, clientSecret: __, operation: ___, checkAt: ____, ...rest } = payment;
    const { checks: _____, tries: ______, ...shown } = rest;
    return {
      ...toReadable(shown),
      refunds: refunds.filter((refund) => refund.paymentId === payment._id).map(toReadableRefund),
      dispute:
        disputes.filter((dispute) => dispute.paymentId === payment._id).map(toReadableDispute)[0] ?? null,
    };
  });
}

function toReadableRefund({ _id, amount, currency, reason, state, createdAt }: RefundRecord): object {
  return toReadable({ _id, amount, currency, reason, state, createdAt });
}

/**
 * Returns a dispute without the ids of the other side's authors and of the staff member who decided it, because they
 * are other people.
 */
function toReadableDispute(dispute: DisputeRecord): object {
  const { _id, amount, currency, reason, text, state, respondBy, evidence, outcome, createdAt } = dispute;
  return toReadable({
    _id,
    amount,
    currency,
    reason,
    text,
    state,
    respondBy,
    evidence: evidence.map(({ by, text: words, mediaIds, at }) => ({ by, text: words, mediaIds, at })),
    outcome: outcome && { refunded: outcome.refunded, statement: outcome.statement, at: outcome.at },
    createdAt,
  });
}

/** Returns open payments as obligations. Otherwise, a payment could be captured from an erased account. */
async function owes({ installationId, userId, session }: LeavingUser): Promise<Obligation[]> {
  const found = await openPaymentsOf(installationId, userId, session);
  return found.map(({ _id }) => ({
    kind: 'open_payment',
    id: _id,
    detail: 'A payment is in progress. It must be captured or canceled first.',
  }));
}

export const personalData: PersonalData = {
  exports: [payments],
  owes,
  kept: 'amounts, which the law requires; other data of the payer is erased with the payment methods',
};
