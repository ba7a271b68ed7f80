import { newId } from '../../subgraphs/platform/ids/newId.ts';
import type { ValidCall } from '../authorization/matrix/validCalls.ts';
import type { World } from '../authorization/world/openWorld.ts';
import { sellThrough } from '../support/people/sellThrough.ts';
import { countCommands } from '../support/stack/countCommands.ts';
import { type Input, inputOf, type Mutation } from './mutations.ts';

/**
 * Its valid call asks no provider and honours no key; `seoAiSuggestions.test.ts` has a provider and holds the promise.
 */
const elsewhere: ReadonlySet<string> = new Set(['seoAiSuggestions']);

/** Whether a mutation honours an idempotency key, and its valid call shows it. */
export function isIdempotent({ name, traits }: Mutation): boolean {
  return traits.idempotent !== undefined && !elsewhere.has(name);
}

/** What makes another request of a valid call, where the next valid call is the same. */
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

/** The sweep opens more disputes than the garage has earned, and nothing could be refunded. */
export async function enrich(world: World): Promise<void> {
  await sellThrough(world.app.stack, world.shop.installation, {
    payerId: newId('user'),
    dealerId: world.garage.id,
    heldDays: 0,
    changes: { amountCaptured: 10_000_000 },
  });
}

/** Another request by the caller of a valid call; null where no other one can be stated. */
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

/** What `work` writes besides the keys themselves. */
export async function writesOf<T>(work: () => Promise<T>): Promise<{ result: T; written: string[] }> {
  const { result, commands } = await countCommands(work);
  return { result, written: commands.filter((command) => isWrite.test(command)).sort() };
}
