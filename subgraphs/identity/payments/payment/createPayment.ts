import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidField, invalidFields } from '../../../platform/errors/AppError.ts';
import { firstOutbox } from '../../../platform/events/outbox.ts';
import { insertOnce } from '../../../platform/installation/insertOnce.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { dayMs } from '../../../platform/time/durations.ts';
import type { CreatePaymentInput } from '../../identity.generated.ts';
import { resumeAfterMs } from '../../kernel/money/times.ts';
import { PaymentMethodModel } from '../payment-method/model.ts';
import { refusedByProvider } from '../payment-provider/ProviderFailure.ts';
import { type CheckedOrder, checkOrder } from './order/checkOrder.ts';
import { readMetadata } from './order/readMetadata.ts';
import { carryOutOperations } from './progress/carryOutOperations.ts';
import { resumePayment } from './progress/resumePayment.ts';
import { feeOf } from './record/feeOf.ts';
import { PaymentModel, type PaymentRecord } from './record/model.ts';

/** Maximum waiting time by provider, in milliseconds. Bank transfers take days. */
const longestWaitMs = { stripe: dayMs, sandbox: dayMs, manual: 7 * dayMs } as const;

/**
 * Stores the payment before it calls the provider with a key that is derived from the payment. If the process ends
 * between two steps, a repetition, a read or the job continues from the stored state.
 */
export async function createPayment(
  input: CreatePaymentInput,
  context: RequestContext,
): Promise<{ payment: PaymentRecord }> {
  const earlier = context.attempt.isRepeated ? await findEarlier(context) : null;
  if (earlier) return { payment: (await resumePayment(context, earlier)) ?? earlier };
  const { metadata, problems } = readMetadata(input.metadata);
  if (problems.length > 0) throw invalidFields(problems);
  const order = await checkOrder(input, context);
  const paymentMethodId = await readMethod(input, context);
  const payment = newPayment(context, order, { metadata, paymentMethodId });
  const { record: stored } = await insertOnce(scoped(PaymentModel, context.installationId), {
    ...payment,
    _id: context.attempt.newId('payment'),
  });
  const { payment: changed, refused } = await carryOutOperations(context, stored);
  if (refused && changed.state === 'canceled') throw refusedByProvider();
  return { payment: changed };
}

function findEarlier({ attempt, installationId }: RequestContext): Promise<PaymentRecord | null> {
  return scoped(PaymentModel, installationId).findOne({ _id: attempt.newId('payment') });
}

/** Returns a usable method of the payer; any other one is treated as missing. */
async function readMethod(
  { paymentMethodId }: CreatePaymentInput,
  { installationId, viewer, platform }: RequestContext,
): Promise<string | null> {
  if (paymentMethodId === null || paymentMethodId === undefined) return null;
  const method = await scoped(PaymentMethodModel, installationId).findOne({
    _id: paymentMethodId,
    userId: viewer.id,
    state: 'active',
    provider: platform.payments.provider,
  });
  if (method) return method._id;
  const detail = 'This payment method does not exist or is not active.';
  throw invalidField('#/paymentMethodId', detail);
}

function newPayment(
  { platform, installation, viewer }: RequestContext,
  order: CheckedOrder,
  own: Pick<PaymentRecord, 'metadata' | 'paymentMethodId'>,
): Omit<PaymentRecord, '_id' | 'installationId'> {
  const { purpose, promotion, listing, dealer, amount, captureMethod, depositsDeducted } = order;
  const now = new Date(platform.now());
  const { provider } = platform.payments;
  return {
    ...own,
    purpose,
    payer: { userId: viewer.id },
    payee: dealer ? { type: 'dealer', id: dealer._id } : { type: 'installation', id: installation.id },
    listingId: listing._id,
    promotion: promotion && {
      kind: promotion,
      days: installation.settings.payments.promotions[promotion].days,
    },
    currency: amount.currency,
    amount: amount.amount,
    amountCapturable: 0,
    amountCaptured: 0,
    amountRefunded: 0,
    ...(depositsDeducted !== undefined && { depositsDeducted }),
    fee: dealer && feeOf(dealer.commission, amount, now, order.fixedFeeCharged),
    providerFee: null,
    captureMethod,
    state: 'requires_payment_method',
    failure: null,
    provider,
    providerRef: null,
    clientSecret: null,
    nextAction: null,
    operation: { kind: 'create', amount: null },
    checkAt: new Date(now.getTime() + resumeAfterMs),
    checks: 0,
    tries: 0,
    endsAt: new Date(now.getTime() + longestWaitMs[provider]),
    authorizationExpiresAt: null,
    authorizedAt: null,
    capturedAt: null,
    receiptNumber: null,
    disputeId: null,
    ...firstOutbox({ platform }, 'payment.created', { data: { state: 'requires_payment_method' } }),
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}
