import type { StripeCall, StripeObject, StripeStore } from './openStripeStore.ts';

/** A dispute of a payer's bank. */
export interface DisputedCharge {
  /** Amount in Stripe's minor units. Default: the whole charge. */
  amount?: number;
  /** Fee of Stripe. */
  fee?: number;
  /** Whether it is an inquiry of the bank, which moves no money. */
  isInquiry?: boolean;
}

/** States that a bank can set. */
export type DisputeStatus = 'needs_response' | 'under_review' | 'won' | 'lost' | 'warning_closed';

/** Disputes of card charges, which banks open and decide. */
export interface StripeDisputes {
  /** A bank disputes the charge of an intent: Stripe withdraws the amount and its fee, unless it is an inquiry. */
  dispute(intentId: string, charge?: DisputedCharge): StripeObject;
  /** Sets the state. An inquiry that becomes a dispute withdraws the money, and a won dispute returns it. */
  setDispute(id: string, status: DisputeStatus): StripeObject;
  /** Whether Stripe refuses refunds of an intent, because its charge is disputed or the dispute was lost. */
  isCharged(intentId: string): boolean;
  /** Answers a call of `disputes`. */
  act(call: StripeCall): object;
}

const usualFee = 1500;

/** @param store objects of the account */
export function openStripeDisputes({ make, find, change, all, now }: StripeStore): StripeDisputes {
  let last = 0;
  /** A movement of the platform's balance; `amount` does not contain the fee. */
  function move({ id, currency }: StripeObject, amount: number, fee: number): object {
    const created = Math.floor(now() / 1000);
    const facts = { object: 'balance_transaction', type: 'adjustment', source: id, created, currency };
    return { ...facts, id: `txn_${(last += 1)}`, amount, fee, net: amount - fee };
  }

  function withdraw(dispute: StripeObject): StripeObject {
    const taken = move(dispute, -dispute.amount, dispute.metadata.fee);
    return change(dispute.id, { balance_transactions: [...dispute.balance_transactions, taken] });
  }

  return {
    dispute(intentId, { amount, fee = usualFee, isInquiry = false } = {}) {
      const { amount_received: charged, currency } = find(intentId, 'payment_intent');
      const disputed = amount ?? charged;
      const earlier = all('dispute').filter(({ payment_intent }) => payment_intent === intentId);
      if (disputed < 1 || disputed > charged - earlier.reduce((sum, one) => sum + one.amount, 0))
        throw new Error(`A bank cannot dispute ${disputed} of ${charged}.`);
      const dispute = make('dp', 'dispute', {
        amount: disputed,
        currency,
        charge: `ch_of_${intentId}`,
        payment_intent: intentId,
        reason: 'fraudulent',
        status: isInquiry ? 'warning_needs_response' : 'needs_response',
        is_charge_refundable: isInquiry,
        evidence_details: { due_by: Math.floor(now() / 1000) + 7 * 24 * 3600 },
        balance_transactions: [],
        metadata: { fee },
      });
      return isInquiry ? dispute : withdraw(dispute);
    },
    setDispute(id, status) {
      const before = find(id, 'dispute');
      const wasInquiry = before.status.startsWith('warning_');
      const dispute = change(id, { status, is_charge_refundable: status === 'warning_closed' });
      if (wasInquiry) return status === 'warning_closed' ? dispute : withdraw(dispute);
      if (status !== 'won' || before.status === 'won') return dispute;
      const returned = move(dispute, dispute.amount, 0);
      return change(id, { balance_transactions: [...dispute.balance_transactions, returned] });
    },
    isCharged: (intentId) =>
      all('dispute').some(
        ({ payment_intent, status }) =>
          payment_intent === intentId && status !== 'won' && !status.startsWith('warning_'),
      ),
    act({ path: [id = ''], params }) {
      if (id !== '') return find(id, 'dispute');
      const since = Number(params.created?.gte ?? 0);
      const data = all('dispute').filter(({ created }) => created >= since);
      return { object: 'list', data: data.toReversed(), has_more: false };
    },
  };
}
