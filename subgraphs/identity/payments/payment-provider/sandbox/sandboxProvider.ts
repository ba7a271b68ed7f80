import { keptObjects } from '../kept/keptObjects.ts';
import { keptRefunds } from '../kept/keptRefunds.ts';
import { type PaymentProvider, type ProviderObject, providerObjects } from '../PaymentProvider.ts';
import { readSignedJson } from '../readSignedJson.ts';
import { sandboxAccounts } from './sandboxAccounts.ts';
import { sandboxMethods } from './sandboxMethods.ts';
import { type SandboxOptions, sandboxPayments } from './sandboxPayments.ts';

/**
 * A provider that moves no money and lives in the product's own database, so that everything about payments can be
 * tried, and survives a restart, without an account anywhere.
 *
 * @param secret over its events
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
