import type Stripe from 'stripe';
import { dayMs } from '../../../../platform/time/durations.ts';
import type {
  PaymentOrder,
  PaymentProvider,
  ProviderAction,
  ProviderPayment,
  ProviderRefusal,
} from '../PaymentProvider.ts';
import { ask, intentOfError } from './openStripe.ts';
import { feeFromStripe, fromStripe, toStripe } from './stripeAmounts.ts';

/** Stripe releases an authorization that was not captured within seven days. */
const authorizedMs = 7 * dayMs;

type Payments = Pick<PaymentProvider, 'createPayment' | 'readPayment' | 'capturePayment' | 'cancelPayment'>;

/** The expanded charge contains the balance transaction, which states the fee. */
const expand = ['latest_charge.balance_transaction'];

/** Returns payment intents. They are captured manually, so no money moves before the product requests it. */
export function stripePayments(stripe: Stripe, installationId: string): Payments {
  const intents = stripe.paymentIntents;
  return {
    createPayment: (order) =>
      ask(async () => {
        const made = order.isRepeated ? await findIntent(stripe, order) : null;
        if (made) return toPayment(made);
        const options = { idempotencyKey: `${order.paymentId}:${order.tries}` };
        return toPayment(await orDeclined(intents.create(toIntent(order, installationId), options)));
      }),
    readPayment: (ref) => ask(async () => toPayment(await intents.retrieve(ref, { expand }))),
    capturePayment: (ref, { paymentId, amount, attempt }) =>
      ask(async () => {
        const { amount: amount_to_capture } = toStripe(amount, 'payment');
        const options = { idempotencyKey: `${paymentId}:capture:${amount.amount}:${attempt}` };
        return toPayment(await intents.capture(ref, { amount_to_capture, expand }, options));
      }),
    cancelPayment: (ref, { paymentId, attempt }) =>
      ask(async () => {
        const options = { idempotencyKey: `${paymentId}:cancel:${attempt}` };
        return toPayment(await intents.cancel(ref, {}, options));
      }),
  };
}

/**
 * Returns the payment intent of an earlier request with a saved method, which may be authorized. An unknown intent
 * without a saved method cannot be paid, because its client secret was never shown.
 */
async function findIntent(
  stripe: Stripe,
  { paymentId, customerRef, createdAt }: PaymentOrder,
): Promise<Stripe.PaymentIntent | null> {
  if (customerRef === null) return null;
  // Allows for clock skew, so that a payment intent is not missed.
  const since = Math.floor(createdAt.getTime() / 1000) - 3600;
  const list = stripe.paymentIntents.list({ customer: customerRef, created: { gte: since }, limit: 100 });
  for await (const intent of list) if (intent.metadata.paymentId === paymentId) return intent;
  return null;
}

function toIntent(order: PaymentOrder, installationId: string): Stripe.PaymentIntentCreateParams {
  const { paymentId, amount, customerRef, methodRef, description, returnUrl } = order;
  return {
    ...toStripe(amount, 'payment'),
    capture_method: 'manual',
    description,
    metadata: { paymentId, installationId },
    automatic_payment_methods: { enabled: true },
    ...(customerRef !== null && { customer: customerRef }),
    ...(methodRef !== null && { payment_method: methodRef, confirm: true, return_url: returnUrl }),
  };
}

/** Treats a declined card as a response: the payment waits for another card. */
async function orDeclined(creating: Promise<Stripe.PaymentIntent>): Promise<Stripe.PaymentIntent> {
  try {
    return await creating;
  } catch (error) {
    const intent = intentOfError(error);
    if (!intent) throw error;
    return intent;
  }
}

const states: Readonly<Record<string, ProviderPayment['state'] | undefined>> = {
  requires_payment_method: 'requires_payment_method',
  requires_confirmation: 'requires_payment_method',
  requires_action: 'requires_action',
  processing: 'processing',
  requires_capture: 'authorized',
  succeeded: 'succeeded',
  canceled: 'canceled',
};

function toPayment(intent: Stripe.PaymentIntent): ProviderPayment {
  // An unknown status is read again later.
  const state = states[intent.status] ?? 'processing';
  const { currency } = intent;
  const captured = state === 'succeeded' ? intent.amount_received : 0;
  return {
    ref: intent.id,
    paymentId: intent.metadata.paymentId ?? null,
    state,
    ...fromStripe(intent.amount, currency),
    amountCapturable: fromStripe(intent.amount_capturable, currency).amount,
    amountCaptured: fromStripe(captured, currency).amount,
    clientSecret: intent.client_secret,
    action: toAction(intent.status, intent.next_action),
    refusal: toRefusal(intent.last_payment_error),
    authorizedUntil: state === 'authorized' ? new Date(intent.created * 1000 + authorizedMs) : null,
    providerFee: state === 'succeeded' ? toFee(intent.latest_charge) : null,
    amountToReturn: 0,
  };
}

/** Returns the fee. Stripe states it in the balance transaction, which some payment methods get after the capture. */
function toFee(charge: Stripe.PaymentIntent['latest_charge']): ProviderPayment['providerFee'] {
  const moved = charge && typeof charge === 'object' ? charge.balance_transaction : null;
  return moved && typeof moved === 'object' ? feeFromStripe(moved.fee, moved.currency) : null;
}

/** Returns the action of the payer, for payments and setups. */
export function toAction(
  status: string,
  next: Stripe.PaymentIntent.NextAction | Stripe.SetupIntent.NextAction | null,
): ProviderAction | null {
  if (status === 'requires_payment_method' || status === 'requires_confirmation')
    return { type: 'sdk', url: null };
  if (status !== 'requires_action') return null;
  const url = next?.redirect_to_url?.url ?? null;
  return url === null ? { type: 'sdk', url: null } : { type: 'redirect', url };
}

function toRefusal(error: Stripe.PaymentIntent.LastPaymentError | null): ProviderRefusal | null {
  if (!error) return null;
  return {
    code: error.code ?? error.type,
    declineCode: error.decline_code ?? null,
    message: error.message ?? 'The payment was declined.',
  };
}
