import { scoped } from '../../../platform/installation/scoped.ts';
import type { MoneyContext } from '../ledger/MoneyContext.ts';
import type { ProviderMethod } from '../payment-provider/PaymentProvider.ts';
import { sealAction } from '../payment-provider/payerSecret.ts';
import { PaymentMethodModel, type PaymentMethodRecord } from './model.ts';

const nothingToDo = { clientSecret: null, nextAction: null };

/**
 * Applies the state at the provider to a payment method. An active one stays active. A failed one is deleted; returns
 * null for it and for one that does not exist.
 */
export async function applyProviderMethod(
  { platform, installation }: MoneyContext,
  paymentMethodId: string,
  provided: ProviderMethod,
): Promise<PaymentMethodRecord | null> {
  const methods = scoped(PaymentMethodModel, installation.id);
  const pending = { _id: paymentMethodId, state: 'pending' as const };
  if (provided.state === 'failed') {
    await methods.deleteMany(pending);
    return null;
  }
  const { setupRef, methodRef, type, brand, last4, expMonth, expYear } = provided;
  const isActive = provided.state === 'active';
  const settled = await methods.findOneAndUpdate(pending, {
    $set: {
      state: isActive ? 'active' : 'pending',
      setupRef,
      methodRef,
      type,
      brand,
      last4,
      expMonth,
      expYear,
      ...(isActive ? nothingToDo : sealAction(platform.secrets, paymentMethodId, provided, null)),
      updatedAt: new Date(platform.now()),
    },
  });
  return settled ?? methods.findOne({ _id: paymentMethodId });
}
