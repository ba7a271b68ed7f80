import { minuteMs } from '../../../platform/time/durations.ts';
import type { MoneyContext } from '../ledger/MoneyContext.ts';
import { ProviderFailure } from '../payment-provider/ProviderFailure.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { applyProviderMethod } from './applyProviderMethod.ts';
import type { PaymentMethodRecord } from './model.ts';

/**
 * Reads a pending method from the provider, because the event that reports its setup may be late or lost. Returns null
 * if the setup failed.
 *
 * @throws ProviderFailure
 */
export async function refreshPaymentMethod(
  scope: MoneyContext,
  method: PaymentMethodRecord,
): Promise<PaymentMethodRecord | null> {
  const { _id, state, provider, setupRef } = method;
  if (state !== 'pending' || setupRef === null) return method;
  const provided = await providerOf(scope.platform, scope.installation, provider).readMethod(setupRef);
  return applyProviderMethod(scope, _id, provided);
}

/**
 * Refreshes a method that has been pending for a minute since it was last read. Returns it unchanged if the provider
 * does not respond, or is not the provider of the deployment.
 */
export async function refreshIfDue(
  scope: MoneyContext,
  method: PaymentMethodRecord,
): Promise<PaymentMethodRecord | null> {
  const { platform } = scope;
  const isDue = platform.now() - method.updatedAt.getTime() >= minuteMs;
  if (!isDue || method.provider !== platform.payments.provider) return method;
  try {
    return await refreshPaymentMethod(scope, method);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    platform.log.warn({ err: error, paymentMethodId: method._id }, 'payment method not refreshed');
    return method;
  }
}
