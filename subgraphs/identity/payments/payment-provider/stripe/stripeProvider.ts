import type { StripeSettings } from '../../../../platform/context/PaymentSettings.ts';
import { AppError } from '../../../../platform/errors/AppError.ts';
import type { PaymentProvider, ProviderEvent, ProviderObject } from '../PaymentProvider.ts';
import { readSignedJson } from '../readSignedJson.ts';
import { openStripe } from './openStripe.ts';
import { stripeAccounts } from './stripeAccounts.ts';
import { stepOf } from './stripeAmounts.ts';
import { stripeChargebacks } from './stripeChargebacks.ts';
import { stripeMethods } from './stripeMethods.ts';
import { stripePayments } from './stripePayments.ts';
import { stripePayouts } from './stripePayouts.ts';
import { stripeRefunds } from './stripeRefunds.ts';

/** Returns the Stripe provider of one installation. The metadata of every object at Stripe names the installation. */
export function stripeProvider(
  settings: StripeSettings,
  { installationId, now }: { installationId: string; now: () => number },
): PaymentProvider {
  const stripe = openStripe(settings);
  const isLive = !settings.secretKey.includes('_test_');
  return {
    name: 'stripe',
    stepOf,
    ...stripePayments(stripe, installationId),
    ...stripeMethods(stripe, installationId),
    ...stripeRefunds(stripe, installationId),
    chargebacks: stripeChargebacks(stripe),
    ...stripeAccounts(stripe, installationId),
    ...stripePayouts(stripe, installationId),
    async readEvent(webhook) {
      const event = readSignedJson(webhook, settings.webhookSecrets, now());
      if (event.livemode !== isLive)
        throw new AppError(
          'malformed_request',
          'This event belongs to the other mode (live or test) of the Stripe account.',
        );
      return toEvent(event);
    },
  };
}

const kinds: Readonly<Record<string, ProviderObject>> = {
  payment_intent: 'payment',
  setup_intent: 'method',
  refund: 'refund',
  dispute: 'chargeback',
  account: 'account',
  payout: 'payout',
};

function toEvent({ id, type, data, account }: Record<string, unknown>): ProviderEvent {
  if (typeof id !== 'string' || typeof type !== 'string')
    throw new AppError('malformed_request', 'The event needs an id and a type.');
  const { object } = (data ?? {}) as { object?: { object?: unknown; id?: unknown } };
  const kind = typeof object?.object === 'string' ? kinds[object.object] : undefined;
  const isKnown = kind !== undefined && typeof object?.id === 'string';
  const accountRef = typeof account === 'string' ? account : null;
  return { id, type, object: isKnown ? { kind, ref: String(object.id), accountRef } : null };
}
