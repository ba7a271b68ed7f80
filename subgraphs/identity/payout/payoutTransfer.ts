import type { MoneyContext } from '../money/MoneyContext.ts';
import { ProviderFailure, waitAfter } from '../payment-provider/ProviderFailure.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { changePayout } from './changePayout.ts';
import type { PayoutRecord } from './model.ts';

/**
 * Moves the money of a payout to the dealer's account at the provider, once, whatever the number of attempts.
 *
 * @returns null when another process has moved the payout meanwhile
 * @throws ProviderFailure
 */
export async function sendTransfer(
  scope: MoneyContext,
  payout: PayoutRecord,
  accountRef: string,
): Promise<PayoutRecord | null> {
  const { transfers } = providerOf(scope.platform, scope.installation, payout.provider);
  if (!transfers || payout.transfer) return payout;
  const { _id: payoutId, tries, amount } = payout;
  const { ref } = await transfers.create({ payoutId, tries, accountRef, amount });
  return recordTransfer(scope, payout, ref);
}

function recordTransfer(
  scope: MoneyContext,
  payout: PayoutRecord,
  ref: string,
): Promise<PayoutRecord | null> {
  return changePayout(scope, payout, { transfer: { ref, state: 'made' } }, { moves: ['payout_transfer'] });
}

/**
 * Takes back what was moved for a payout that is called off. Until the provider has done so the money is on the dealer's
 * account there and not available here, or it would be paid out twice.
 *
 * @returns null while the provider has not done it, or when another process has moved the payout
 */
export async function takeBackTransfer(
  scope: MoneyContext,
  payout: PayoutRecord,
): Promise<PayoutRecord | null> {
  const { _id: payoutId, tries, transfer } = payout;
  const { transfers } = providerOf(scope.platform, scope.installation, payout.provider);
  if (!transfers || transfer?.state === 'reversed') return payout;
  let current: PayoutRecord | null = payout;
  try {
    // A process that ended behind the transfer has not stored its id.
    const made = transfer ?? (await transfers.find(payoutId));
    if (!made) return payout;
    if (!transfer) current = await recordTransfer(scope, payout, made.ref);
    if (!current) return null;
    await transfers.reverse(made.ref, { payoutId, tries });
    const reversed = { ref: made.ref, state: 'reversed' } as const;
    return await changePayout(scope, current, { transfer: reversed }, { moves: ['payout_reversal'] });
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    scope.platform.log.error({ err: error, payoutId }, 'transfer of a canceled payout not taken back');
    // One that the provider refuses succeeds once the dealer's account there has the money again.
    const dueAt = new Date(scope.platform.now() + waitAfter(error));
    if (current) await changePayout(scope, current, { dueAt }, { failure: error });
    return null;
  }
}
