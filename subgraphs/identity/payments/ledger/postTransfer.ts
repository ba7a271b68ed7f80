import type { ClientSession } from 'mongoose';
import type { LedgerContext } from './MoneyContext.ts';
import { findTransaction, postTransaction } from './postTransaction.ts';

/** Amount that is owed to the payer of a bank transfer, in minor units; negative for its return. */
export interface Transfer {
  paymentId: string;
  kind: 'transfer_unreturned' | 'transfer_returned';
  currency: string;
  amount: number;
}

/** Books a bank transfer that was not captured, or its return, once. Returns whether this call has booked it. */
export async function postTransfer(
  scope: LedgerContext,
  { paymentId, kind, currency, amount }: Transfer,
  session: ClientSession,
): Promise<boolean> {
  const postings = [
    { account: 'psp_clearing', currency, amount: -amount },
    { account: 'unreturned', currency, amount },
  ];
  const source = { type: 'payment', id: paymentId } as const;
  const transaction = { kind, source, dealerId: null, currency, paymentId, postings };
  return (await postTransaction(scope, transaction, session)).isNew;
}

/** Returns whether the return of a payment's bank transfer is booked. */
export async function isTransferReturned(
  scope: LedgerContext,
  paymentId: string,
  session: ClientSession,
): Promise<boolean> {
  const source = { type: 'payment', id: paymentId } as const;
  return (await findTransaction(scope, { kind: 'transfer_returned', source }, session)) !== null;
}
