import type { KeptObjects } from '../kept/keptObjects.ts';
import type { ProviderObjectRecord, SandboxCard } from '../kept/model.ts';
import type { ProviderMethod, ProviderMethods } from '../PaymentProvider.ts';
import type { SandboxOptions } from './sandboxPayments.ts';

const lastDigits: Readonly<Record<SandboxCard, string>> = {
  succeeds: '4242',
  declined: '0002',
  challenge: '3155',
  slow: '0077',
};

/** Returns the saved test cards. */
export function sandboxMethods(objects: KeptObjects, { pageUrl }: SandboxOptions): ProviderMethods {
  return {
    async createCustomer({ userId }) {
      const { _id } = await objects.make({ kind: 'customer', ownId: userId, status: 'active' });
      return { ref: _id };
    },
    async findCustomer({ userId }) {
      const found = await objects.find(objects.refOf('customer', userId));
      return found && { ref: found._id };
    },
    deleteCustomer: async (ref) => void (await objects.change(ref, {}, { $set: { status: 'deleted' } })),
    async createMethod({ paymentMethodId, returnUrl }) {
      const setup = { kind: 'method', ownId: paymentMethodId, status: 'pending', returnUrl } as const;
      return toMethod(await objects.make(setup, { withSecret: true }), pageUrl);
    },
    readMethod: async (setupRef) => toMethod(await objects.read(setupRef, 'method'), pageUrl),
    cancelMethod: async (ref) =>
      void (await objects.change(ref, { status: 'pending' }, { $set: { status: 'failed' } })),
    deleteMethod: async (ref) =>
      void (await objects.change(ref, {}, { $set: { status: 'failed', card: null } })),
  };
}

function toMethod(record: ProviderObjectRecord, pageUrl: SandboxOptions['pageUrl']): ProviderMethod {
  const { _id, ownId, status, clientSecret, card } = record;
  const state = status as ProviderMethod['state'];
  return {
    setupRef: _id,
    paymentMethodId: ownId,
    state,
    methodRef: state === 'active' ? _id : null,
    clientSecret,
    action: state === 'pending' && clientSecret ? { type: 'redirect', url: pageUrl(clientSecret) } : null,
    type: 'card',
    brand: card && 'sandbox',
    last4: card && lastDigits[card],
    expMonth: card && 12,
    expYear: card && 2039,
  };
}
