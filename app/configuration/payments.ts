import type { PaymentSettings } from '../../subgraphs/platform/context/PaymentSettings.ts';
import { readDeployment } from './deployment.ts';
import { choice, type Environment, list, readAll, required, serverAddress, text } from './Setting.ts';

/** How payments are taken. */
export const paymentSettings = {
  provider: choice('PAYMENTS', {
    words: ['stripe', 'sandbox', 'manual'],
    // The sandbox moves no money, so outside of the demonstration it must be asked for.
    fallback: (environment) => (readDeployment(environment).demonstration ? 'sandbox' : 'manual'),
    shown: '`sandbox` with `DEMO=on`, else `manual`',
    meaning:
      'How payments are taken: `sandbox` moves no money, `manual` is a bank transfer. See [docs/payments.md](docs/payments.md).',
  }),
  secretKey: text('STRIPE_SECRET_KEY', {
    meaning: 'Secret key of the account at Stripe; required with `PAYMENTS=stripe`.',
    allowed: 'a key of Stripe, as in `sk_test_…` or `sk_live_…`',
    accepts: (key) => /^[sr]k_(?:live|test)_\w+$/.test(key),
    isSecret: true,
  }),
  webhookSecrets: list('STRIPE_WEBHOOK_SECRETS', {
    meaning: 'Secrets over the events of Stripe; required with `STRIPE_SECRET_KEY`.',
    allowed: 'secrets separated by commas, as in `whsec_…`',
    isSecret: true,
  }),
  apiBase: serverAddress('STRIPE_API_BASE', {
    shown: "Stripe's",
    meaning: 'Another server that answers in the place of Stripe.',
  }),
  manualSecrets: list('PAYMENT_WEBHOOK_SECRETS', {
    meaning: 'Secrets over the events of booked transfers. Unset: such events are refused.',
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
