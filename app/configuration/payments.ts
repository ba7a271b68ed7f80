import type { PaymentSettings } from '../../subgraphs/platform/context/PaymentSettings.ts';
import { readDeployment } from './deployment.ts';
import { choice, type Environment, list, readAll, required, serverAddress, text } from './Setting.ts';

/** Settings of payments. */
export const paymentSettings = {
  provider: choice('PAYMENTS', {
    words: ['stripe', 'sandbox', 'manual'],
    // The sandbox moves no money, so outside of the demonstration it must be configured explicitly.
    fallback: (environment) => (readDeployment(environment).demonstration ? 'sandbox' : 'manual'),
    shown: '`sandbox` with `DEMO=on`, else `manual`',
    meaning:
      'Payment provider: `sandbox` moves no money, `manual` is bank transfer. See [payments](payments.md).',
  }),
  secretKey: text('STRIPE_SECRET_KEY', {
    meaning: 'Secret key of the Stripe account; required with `PAYMENTS=stripe`.',
    allowed: 'a Stripe secret key, such as `sk_test_…` or `sk_live_…`',
    accepts: (key) => /^[sr]k_(?:live|test)_\w+$/.test(key),
    isSecret: true,
  }),
  webhookSecrets: list('STRIPE_WEBHOOK_SECRETS', {
    meaning: 'Signing secrets of Stripe webhooks; required with `STRIPE_SECRET_KEY`.',
    allowed: 'secrets separated by commas, such as `whsec_…`',
    isSecret: true,
  }),
  apiBase: serverAddress('STRIPE_API_BASE', {
    shown: "Stripe's",
    meaning: 'Server that replaces the Stripe API, for tests.',
  }),
  manualSecrets: list('PAYMENT_WEBHOOK_SECRETS', {
    meaning: 'Signing secrets of events about booked transfers. Unset: such events are refused.',
    allowed: 'secrets of at least 32 characters, separated by commas',
    accepts: (secret) => secret.length >= 32,
    isSecret: true,
  }),
};

export function readPayments(environment: Environment): { payments: PaymentSettings } {
  const { provider, secretKey, webhookSecrets, apiBase, manualSecrets } = readAll(
    paymentSettings,
    environment,
  );
  if (secretKey === undefined && provider !== 'stripe') return { payments: { provider, manualSecrets } };
  const stripe = {
    secretKey: required(paymentSettings.secretKey, secretKey, 'PAYMENTS=stripe'),
    webhookSecrets: required(
      paymentSettings.webhookSecrets,
      webhookSecrets.length > 0 ? webhookSecrets : undefined,
      'a key of Stripe',
    ),
    apiBase: apiBase ?? null,
  };
  return { payments: { provider, manualSecrets, stripe } };
}
