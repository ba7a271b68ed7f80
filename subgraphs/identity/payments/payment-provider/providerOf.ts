import type { Platform } from '../../../platform/context/Platform.ts';
import type { Installation } from '../../../platform/installation/Installation.ts';
import { manualProvider } from './manual/manualProvider.ts';
import type { PaymentProvider, ProviderName } from './PaymentProvider.ts';
import { sandboxProvider } from './sandbox/sandboxProvider.ts';
import { stripeProvider } from './stripe/stripeProvider.ts';

/** Settings that select a provider. */
type Surroundings = Pick<Platform, 'payments' | 'secrets' | 'now'>;

const opened = new WeakMap<object, Map<string, PaymentProvider>>();

/**
 * Returns the payment provider of an installation.
 *
 * @param name provider of an earlier payment, which keeps it; that of the deployment by default
 * @throws Error if the deployment no longer has this provider
 */
export function providerOf(
  { payments, secrets, now }: Surroundings,
  { id: installationId, baseUrl }: Pick<Installation, 'id' | 'baseUrl'>,
  name: ProviderName = payments.provider,
): PaymentProvider {
  const known = opened.get(payments) ?? new Map<string, PaymentProvider>();
  opened.set(payments, known);
  const key = `${installationId} ${baseUrl} ${name}`;
  let provider = known.get(key);
  if (!provider) {
    provider = open();
    known.set(key, provider);
  }
  return provider;

  function open(): PaymentProvider {
    const options = { installationId, now };
    if (name === 'manual') return manualProvider(payments.manualSecrets ?? [], options);
    if (name === 'sandbox') {
      const secret = secrets.derive('paymentSandbox').toString('hex');
      const pageUrl = (clientSecret: string) => `${baseUrl}/sandbox/pay#secret=${clientSecret}`;
      return sandboxProvider(secret, { ...options, pageUrl });
    }
    if (!payments.stripe) throw new Error('This deployment has no Stripe account.');
    return stripeProvider(payments.stripe, options);
  }
}
