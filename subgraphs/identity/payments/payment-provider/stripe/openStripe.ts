import { createRequire } from 'node:module';
import type Stripe from 'stripe';
import type { StripeSettings } from '../../../../platform/context/PaymentSettings.ts';
import { disputedCode, ProviderFailure } from '../ProviderFailure.ts';

const require = createRequire(import.meta.url);

/** Loads two hundred modules, only where Stripe is used. */
function load(): typeof Stripe {
  return require('stripe') as typeof Stripe;
}

/**
 * Timeout of a call in milliseconds. A subgraph responds within five seconds, so a longer call stays pending and the
 * job repeats it. For the same reason, the client library does not retry.
 */
const defaultTimeoutMs = 3500;

/** Returns the client of a Stripe account. */
export function openStripe({
  secretKey,
  apiBase,
  timeoutMs = defaultTimeoutMs,
}: Pick<StripeSettings, 'secretKey' | 'apiBase' | 'timeoutMs'>): Stripe {
  const base = apiBase === null ? null : new URL(apiBase);
  return new (load())(secretKey, {
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
    ...(base && {
      host: base.hostname,
      port: base.port || (base.protocol === 'https:' ? 443 : 80),
      protocol: base.protocol === 'https:' ? 'https' : 'http',
    }),
  });
}

/**
 * Calls Stripe, and classifies its failures.
 *
 * @throws ProviderFailure
 */
export async function ask<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toFailure(error);
  }
}

/** Stripe has a second code for the refusal of a refund because the payer's bank disputes the payment. */
const otherDisputedCode = 'refund_disputed_payment';

function toFailure(error: unknown): unknown {
  const { errors } = load();
  if (!(error instanceof errors.StripeError)) return error;
  const { statusCode = 0, message } = error;
  const code = error.code === otherDisputedCode ? disputedCode : (error.code ?? error.type);
  // The deployment's key was revoked or lacks a permission. This is unrelated to the request, so the response is not
  // cached.
  const isOfKey =
    error instanceof errors.StripeAuthenticationError ||
    (error instanceof errors.StripePermissionError && code !== 'account_invalid');
  // No response, a server error, a rate limit, or a concurrent request with the same key: the call is repeated later.
  const isKept = statusCode !== 0 && statusCode !== 429 && statusCode !== 409 && !isOfKey;
  const failure = (kind: ProviderFailure['kind']) =>
    new ProviderFailure(kind, code, message, { cause: error, isKept });
  // Stripe does not reveal whether an account exists that the key cannot use.
  if (code === 'resource_missing' || code === 'account_invalid') return failure('missing');
  if (code === 'balance_insufficient') return failure('later');
  // An earlier request under the key had other members, so its outcome is unknown.
  if (!isKept || statusCode >= 500 || error instanceof errors.StripeIdempotencyError)
    return failure('unknown');
  return failure('refused');
}

/** Returns the payment in an error, as for a declined card. */
export function intentOfError(error: unknown): Stripe.PaymentIntent | null {
  if (!(error instanceof load().errors.StripeCardError)) return null;
  return error.payment_intent ?? null;
}
