import type { ClientSession } from 'mongoose';
import { AppError } from '../../../platform/errors/AppError.ts';
import { hasBalance } from '../../payments/ledger/hasBalance.ts';
import { hasOpenPayments } from '../../payments/payment/openPayments.ts';
import type { DealerRecord } from './model.ts';

/** Something that must be settled before a dealer is closed. */
export interface Obligation {
  /** As in `balance`: what is told to the owner. */
  readonly name: string;
  /** Whether it is open, in the transaction that would close the dealer. */
  isOpen(dealer: DealerRecord, session: ClientSession): Promise<boolean>;
}

/** Every kind of obligation there is. Money that is held for a dispute, or on its way, is part of the balance. */
export const obligations: readonly Obligation[] = [
  { name: 'balance', isOpen: hasBalance },
  { name: 'payments', isOpen: hasOpenPayments },
];

/** @throws AppError `open_obligations`, which names all of them */
export async function assertNoObligations(
  dealer: DealerRecord,
  session: ClientSession,
  kinds: readonly Obligation[] = obligations,
): Promise<void> {
  const open: string[] = [];
  for (const { name, isOpen } of kinds) if (await isOpen(dealer, session)) open.push(name);
  if (open.length === 0) return;
  throw new AppError('open_obligations', `The dealer still has: ${open.join(', ')}. Settle that first.`, {
    obligations: open,
  });
}
