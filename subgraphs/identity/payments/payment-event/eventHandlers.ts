import { isId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { refreshChargeback } from '../chargeback/findChargebacks.ts';
import type { MoneyContext } from '../ledger/MoneyContext.ts';
import { applyProviderState } from '../payment/progress/applyProviderState.ts';
import { carryOutOperations } from '../payment/progress/carryOutOperations.ts';
import { PaymentModel } from '../payment/record/model.ts';
import { applyProviderMethod } from '../payment-method/applyProviderMethod.ts';
import { PaymentMethodModel } from '../payment-method/model.ts';
import type { PaymentProvider, ProviderEvent, ProviderObject } from '../payment-provider/PaymentProvider.ts';
import { refreshPayout } from '../payout/refreshPayout.ts';
import { refreshPayoutAccount } from '../payout-account/refreshPayoutAccount.ts';
import { refreshRefund } from '../refund/refundsJob.ts';

/** Object of an event, with the provider that sent it. */
export interface EventSubject {
  scope: MoneyContext;
  provider: PaymentProvider;
  object: NonNullable<ProviderEvent['object']>;
}

/**
 * Handlers by the kind of the provider's object. Each reads the object from the provider, because events arrive late,
 * repeatedly and in any order. Objects of other installations of the same account are ignored. A resource with another
 * kind of object adds a line.
 */
export const eventHandlers: Partial<Record<ProviderObject, (subject: EventSubject) => Promise<void>>> = {
  payment: settlePayment,
  method: settlePaymentMethod,
  refund: ({ scope, provider, object }) => refreshRefund(scope, provider, object.ref),
  chargeback: ({ scope, provider, object }) => refreshChargeback(scope, provider, object.ref),
  payout: ({ scope, object }) => refreshPayout(scope, object.ref),
  account: ({ scope, provider, object }) => refreshPayoutAccount(scope, provider.name, object.ref),
};

async function settlePayment({ scope, provider, object }: EventSubject): Promise<void> {
  const payments = scoped(PaymentModel, scope.installation.id);
  const provided = await provider.readPayment(object.ref);
  // Before the provider's first response is stored, only the payment's own id identifies it.
  const { paymentId } = provided;
  const known =
    paymentId !== null && isId('payment', paymentId) ? { _id: paymentId } : { providerRef: object.ref };
  const payment = await payments.findOne(known);
  if (!payment || payment.provider !== provider.name) return;
  if (payment.providerRef !== null && payment.providerRef !== provided.ref) return;
  await carryOutOperations(scope, await applyProviderState(scope, payment, provided));
}

async function settlePaymentMethod({ scope, provider, object }: EventSubject): Promise<void> {
  const provided = await provider.readMethod(object.ref);
  const { paymentMethodId } = provided;
  if (paymentMethodId === null || !isId('paymentMethod', paymentMethodId)) return;
  const own = { _id: paymentMethodId, provider: provider.name };
  if (await scoped(PaymentMethodModel, scope.installation.id).findOne(own))
    await applyProviderMethod(scope, paymentMethodId, provided);
}
