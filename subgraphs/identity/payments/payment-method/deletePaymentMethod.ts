import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { DeletePaymentMethodInput } from '../../identity.generated.ts';
import { PaymentModel } from '../payment/record/model.ts';
import { ProviderFailure, providerError } from '../payment-provider/ProviderFailure.ts';
import { PaymentMethodModel } from './model.ts';
import { removeAtProvider } from './removeAtProvider.ts';

/** Deletes a method of the caller, at the provider first. */
export async function deletePaymentMethod(
  { paymentMethodId }: DeletePaymentMethodInput,
  context: RequestContext,
): Promise<{ deletedMethodId: string }> {
  const { installationId, viewer } = context;
  const methods = scoped(PaymentMethodModel, installationId);
  const own = { _id: paymentMethodId, userId: viewer.id };
  const method = await methods.findOne(own);
  if (!method) throw notFound('The payment method');
  const inUse = {
    'payer.userId': viewer.id,
    paymentMethodId,
    $or: [
      { operation: { $ne: null } },
      { state: { $in: ['processing' as const, 'requires_action' as const] } },
    ],
  };
  if ((await scoped(PaymentModel, installationId).count(inUse, { limit: 1 })) > 0)
    throw new AppError('in_use', 'A payment with this method is in progress. Retry when it has finished.');
  try {
    await removeAtProvider(context, method);
  } catch (error) {
    throw error instanceof ProviderFailure ? providerError() : error;
  }
  await methods.deleteMany(own);
  return { deletedMethodId: paymentMethodId };
}
