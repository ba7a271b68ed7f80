import type { MoneyContext } from '../ledger/MoneyContext.ts';
import { ProviderFailure } from '../payment-provider/ProviderFailure.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import type { PaymentMethodRecord } from './model.ts';
import { refreshPaymentMethod } from './refreshPaymentMethod.ts';

/**
 * Deletes a method at its provider, because a method that is deleted only here could still be charged. The user may have
 * completed a pending setup shortly before, so it is read first.
 *
 * @throws ProviderFailure
 */
export async function removeAtProvider(scope: MoneyContext, method: PaymentMethodRecord): Promise<void> {
  await unlessMissing(async () => {
    const current = await refreshPaymentMethod(scope, method);
    if (!current) return;
    if (current.methodRef === null) return cancelAtProvider(scope, current);
    await providerOf(scope.platform, scope.installation, current.provider).deleteMethod(current.methodRef);
  });
}

/**
 * Cancels a pending setup at its provider, so that it can no longer be completed.
 *
 * @throws ProviderFailure `refused` if it is completed concurrently
 */
export async function cancelAtProvider(
  { platform, installation }: MoneyContext,
  { provider, setupRef }: Pick<PaymentMethodRecord, 'provider' | 'setupRef'>,
): Promise<void> {
  if (setupRef === null) return;
  await unlessMissing(() => providerOf(platform, installation, provider).cancelMethod(setupRef));
}

/** Runs a request for a deletion, which has nothing to do if the provider does not have the object. */
export async function unlessMissing(request: () => Promise<void>): Promise<void> {
  try {
    await request();
  } catch (error) {
    if (!(error instanceof ProviderFailure) || error.kind !== 'missing') throw error;
  }
}
