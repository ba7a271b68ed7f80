import { keptObjects } from '../kept/keptObjects.ts';
import { keptRefunds } from '../kept/keptRefunds.ts';
import { type PaymentProvider, type ProviderObject, providerObjects } from '../PaymentProvider.ts';
import { readSignedJson } from '../readSignedJson.ts';
import { sandboxAccounts } from './sandboxAccounts.ts';
import { sandboxMethods } from './sandboxMethods.ts';
import { type SandboxOptions, sandboxPayments } from './sandboxPayments.ts';

/**
 * Returns a provider that moves no money and stores its objects in the product's database. All payment features can be
 * tried without an account elsewhere, and its state survives a restart.
 *
 * @param secret of its events
 */
export function sandboxProvider(secret: string, options: SandboxOptions): PaymentProvider {
  const objects = keptObjects('sbx', options);
  return {
    name: 'sandbox',
    stepOf: () => 1,
    ...sandboxPayments(objects, options),
    ...sandboxMethods(objects, options),
    ...sandboxAccounts(objects, options),
    ...keptRefunds(objects, 'succeeded'),
    chargebacks: null,
    async readEvent(webhook) {
      const { id, type, object } = readSignedJson(webhook, [secret], options.now());
      const { kind, ref } = (object ?? {}) as { kind?: unknown; ref?: unknown };
      const known = isKind(kind) && typeof ref === 'string' ? { kind, ref, accountRef: null } : null;
      return { id: String(id), type: String(type), object: known };
    },
  };
}

function isKind(kind: unknown): kind is ProviderObject {
  return (providerObjects as readonly unknown[]).includes(kind);
}
