import type Stripe from 'stripe';
import type { ProviderMethod, ProviderMethods } from '../PaymentProvider.ts';
import { ask } from './openStripe.ts';
import { toAction } from './stripePayments.ts';

/** Returns customers, and setup intents for their saved methods. */
export function stripeMethods(stripe: Stripe, installationId: string): ProviderMethods {
  const expand = { expand: ['payment_method'] };
  return {
    createCustomer: ({ userId, email, tries }) =>
      ask(async () => {
        const metadata = { userId, installationId };
        const { id } = await stripe.customers.create(
          { email, metadata },
          { idempotencyKey: `${userId}:${tries}` },
        );
        return { ref: id };
      }),
    findCustomer: ({ userId, email }) =>
      ask(async () => {
        for await (const { id, metadata } of stripe.customers.list({ email, limit: 100 }))
          if (metadata.userId === userId && metadata.installationId === installationId) return { ref: id };
        return null;
      }),
    deleteCustomer: (ref) =>
      ask(async () => {
        await stripe.customers.del(ref);
      }),
    createMethod: ({ paymentMethodId, customerRef }) =>
      ask(async () => {
        const setup = await stripe.setupIntents.create(
          {
            customer: customerRef,
            usage: 'off_session',
            metadata: { paymentMethodId, installationId },
            automatic_payment_methods: { enabled: true },
            ...expand,
          },
          { idempotencyKey: paymentMethodId },
        );
        return toMethod(setup);
      }),
    readMethod: (setupRef) => ask(async () => toMethod(await stripe.setupIntents.retrieve(setupRef, expand))),
    cancelMethod: (setupRef) =>
      ask(async () => {
        await stripe.setupIntents.cancel(setupRef);
      }),
    deleteMethod: (methodRef) =>
      ask(async () => {
        const { customer } = await stripe.paymentMethods.retrieve(methodRef);
        // Stripe refuses to detach a method twice.
        if (customer !== null) await stripe.paymentMethods.detach(methodRef);
      }),
  };
}

const states: Readonly<Record<string, ProviderMethod['state'] | undefined>> = {
  succeeded: 'active',
  canceled: 'failed',
};

function toMethod(setup: Stripe.SetupIntent): ProviderMethod {
  const method = typeof setup.payment_method === 'object' ? setup.payment_method : null;
  return {
    setupRef: setup.id,
    paymentMethodId: setup.metadata?.paymentMethodId ?? null,
    state: states[setup.status] ?? 'pending',
    methodRef: setup.status === 'succeeded' ? (method?.id ?? null) : null,
    clientSecret: setup.client_secret,
    action: toAction(setup.status, setup.next_action),
    type: method?.type ?? 'card',
    brand: method?.card?.brand ?? null,
    last4: method?.card?.last4 ?? method?.sepa_debit?.last4 ?? null,
    expMonth: method?.card?.exp_month ?? null,
    expYear: method?.card?.exp_year ?? null,
  };
}
