import type { PaymentSettings } from '../../subgraphs/platform/context/PaymentSettings.ts';
import { type Product, product } from './product.ts';
import { openStripeServer, type StripeServer } from './servers/openStripeServer.ts';

/** A product with a Stripe server of this file, which share a clock. */
export interface StripeProduct extends Product {
  readonly stripe: StripeServer;
}

/** Opens the product for this file with a separate Stripe server. `timeoutMs` limits each call of that server. */
export function stripeProduct(options: { timeoutMs?: number } = {}): StripeProduct {
  let stripe: StripeServer;
  let now = Date.now;
  beforeAll(async () => {
    // The stack is opened later, because it needs the address of the server.
    stripe = await openStripeServer(() => now());
  });
  const world = product({
    get payments(): PaymentSettings {
      const { secretKey, webhookSecret, baseUrl } = stripe;
      const webhookSecrets = ['whsec_older', webhookSecret];
      return { provider: 'stripe', stripe: { secretKey, webhookSecrets, apiBase: baseUrl, ...options } };
    },
  });
  beforeAll(() => {
    now = world.stack.platform.now;
  });
  afterAll(() => stripe.close());
  return {
    get stack() {
      return world.stack;
    },
    get stripe() {
      return stripe;
    },
    market: world.market,
    rest: world.rest,
    send: world.send,
    neighbour: world.neighbour,
  };
}
