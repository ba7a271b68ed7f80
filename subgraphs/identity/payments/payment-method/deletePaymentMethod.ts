import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { DeletePaymentMethodInput } from '../../identity.generated.ts';
import { PaymentModel } from '../payment/record/model.ts';
import { ProviderFailure, providerError } from '../payment-provider/ProviderFailure.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { PaymentMethodModel } from './model.ts';
import { refreshPaymentMethod } from './refreshPaymentMethod.ts';

/** Deletes the method at the provider first, because a method that is deleted only here could still be charged. */
export async function deletePaymentMethod(
  { paymentMethodId }: DeletePaymentMethodInput,
  context: RequestContext,
): Promise<{ deletedMethodId: string }> {
  const { installationId, installation, platform, viewer } = context;
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
    // The user may have completed a pending setup shortly before.
    const { methodRef = null } = (await refreshPaymentMethod(context, method)) ?? {};
    if (methodRef !== null) await providerOf(platform, installation, method.provider).deleteMethod(methodRef);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    if (error.kind !== 'missing') throw providerError();
  }
  await methods.deleteMany(own);
  return { deletedMethodId: paymentMethodId };
}
