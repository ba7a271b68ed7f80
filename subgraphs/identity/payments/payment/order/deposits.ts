import type { ClientSession } from 'mongoose';
import { scoped } from '../../../../platform/installation/scoped.ts';
import type { MoneyContext } from '../../ledger/MoneyContext.ts';
import type { ProviderRefusal } from '../../payment-provider/PaymentProvider.ts';
import { amountLeft } from '../record/amountLeft.ts';
import { PaymentModel, type PaymentRecord } from '../record/model.ts';

/** Deposits of one payer for one listing. */
export interface Deposits {
  /** Captured amount that is neither refunded nor charged back, in minor units of the requested currency. */
  paid: number;
  /** Fixed commission that was charged with them, in minor units of the requested currency. */
  fixedFee: number;
  /** ISO 4217 code of a deposit in another currency; null if there is none. */
  otherCurrency: string | null;
  /** Whether the provider was asked to capture a deposit, so that it may be paid at any time. */
  isCapturing: boolean;
}

/** Failure of a payer whose purchase replaces a deposit. */
const replaced: ProviderRefusal = {
  code: 'replaced_by_purchase',
  declineCode: null,
  message: 'A purchase of the listing replaces this deposit. The payer was not charged.',
};

/** Payer and listing of the deposits. */
type Sought = Pick<PaymentRecord, 'listingId' | 'payer' | 'currency'>;

export async function findDeposits(
  installationId: string,
  { listingId, payer, currency }: Sought,
  options: { session?: ClientSession } = {},
): Promise<Deposits> {
  const found = await scoped(PaymentModel, installationId).find(
    {
      listingId,
      'payer.userId': payer.userId,
      purpose: 'deposit',
      state: { $in: ['processing', 'authorized', 'succeeded'] },
    },
    options,
  );
  const standing = found.filter((deposit) => deposit.state === 'succeeded' && amountLeft(deposit) > 0);
  const own = standing.filter((deposit) => deposit.currency === currency);
  return {
    paid: own.reduce((sum, one) => sum + amountLeft(one), 0),
    fixedFee: own.reduce((sum, { fee }) => sum + (fee?.fixed ?? 0), 0),
    otherCurrency: standing.find((one) => one.currency !== currency)?.currency ?? null,
    isCapturing: found.some(({ operation }) => operation?.kind === 'capture'),
  };
}

/**
 * Replaces the payer's authorized deposits by an authorized purchase: cancels them in the transaction that holds the
 * listing, so that a payer never pays more than the price.
 *
 * @returns whether the purchase subtracts exactly the paid deposits; otherwise nothing was changed
 */
export async function replaceDeposits(
  purchase: Sought & Pick<PaymentRecord, 'depositsDeducted'>,
  { scope, session }: { scope: MoneyContext; session: ClientSession },
): Promise<boolean> {
  const { listingId, payer, depositsDeducted = 0 } = purchase;
  const { paid, otherCurrency, isCapturing } = await findDeposits(scope.installation.id, purchase, {
    session,
  });
  if (isCapturing || otherCurrency !== null || paid !== depositsDeducted) return false;
  const at = new Date(scope.platform.now());
  await scoped(PaymentModel, scope.installation.id).updateMany(
    {
      listingId,
      'payer.userId': payer.userId,
      purpose: 'deposit',
      state: 'authorized',
      operation: null,
    },
    {
      $set: {
        operation: { kind: 'cancel', amount: null },
        failure: replaced,
        checkAt: at,
        checks: 0,
        updatedAt: at,
      },
      $inc: { version: 1 },
    },
    { session },
  );
  return true;
}
