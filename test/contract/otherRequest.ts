import { newId } from '../../subgraphs/platform/ids/newId.ts';
import type { ValidCall } from '../authorization/matrix/validCalls.ts';
import type { World } from '../authorization/world/openWorld.ts';
import { sellThrough } from '../support/people/sellThrough.ts';
import { countCommands } from '../support/stack/countCommands.ts';
import { type Input, inputOf, type Mutation } from './mutations.ts';

/**
 * Its valid call uses no provider, so it honours no key. `seoAiSuggestions.test.ts` tests the key with a provider.
 */
const elsewhere: ReadonlySet<string> = new Set(['seoAiSuggestions']);

/** Whether a mutation honours an idempotency key in its valid call. */
export function isIdempotent({ name, traits }: Mutation): boolean {
  return traits.idempotent !== undefined && !elsewhere.has(name);
}

/** Changes that make another request of a valid call, for mutations whose next valid call is equal. */
const others: Readonly<Record<string, Input>> = {
  createDealerApiClient: { name: 'Another machine' },
  createLedgerAdjustment: { reason: 'Another rounding' },
  createListing: { title: 'Another car' },
  createMedia: { filename: 'another.jpg' },
  createPayment: { amount: { amount: 1, currency: 'EUR' } },
  enrollMfaFactor: { label: 'Another phone' },
  sendMessage: { text: 'Another word.' },
  startListingImport: { content: 'stockNumber,title\n' },
  startSeoAudit: { locale: 'de' },
};

/** Adds earnings to the garage, because the disputes of all calls exceed its earnings and would prevent refunds. */
export async function enrich(world: World): Promise<void> {
  await sellThrough(world.app.stack, world.shop.installation, {
    payerId: newId('user'),
    dealerId: world.garage.id,
    heldDays: 0,
    changes: { amountCaptured: 10_000_000 },
  });
}

/** Another request by the caller of a valid call. Null if there is none. */
export function toOther({ name, members }: Mutation, { call }: ValidCall, next: ValidCall): ValidCall | null {
  if (members.size === 1) return null;
  const { token } = call;
  const input = { ...inputOf(next), ...others[name] };
  const body = { ...next.call.body, ...others[name] };
  return {
    ...next,
    call: { ...next.call, variables: { input }, body, ...(token !== undefined && { token }) },
  };
}

/** An input without its idempotency key. */
export function withoutKey(input: Input): Input {
  const { idempotencyKey: _, ...rest } = input;
  return rest;
}

const isWrite = /^(?:insert|update|delete|findAndModify|bulkWrite) (?!idempotency_keys)/;

/** The writes of `work`, without those of idempotency keys. */
export async function writesOf<T>(work: () => Promise<T>): Promise<{ result: T; written: string[] }> {
  const { result, commands } = await countCommands(work);
  return { result, written: commands.filter((command) => isWrite.test(command)).sort() };
}
