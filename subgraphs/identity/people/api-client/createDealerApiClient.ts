import { randomInt } from 'node:crypto';
import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { hashOpaqueToken, newOpaqueToken } from '../../../platform/credentials/opaqueToken.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { once } from '../../../platform/idempotency/once.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { isDuplicateKey, scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { open, seal } from '../../../platform/secrets/seal.ts';
import type { CreateDealerApiClientInput } from '../../identity.generated.ts';
import { assertMayChange } from '../../kernel/dealer-standing/assertMayChange.ts';
import { mailOwners } from '../dealer/mailOwners.ts';
import type { DealerRecord } from '../dealer/model.ts';
import { dealerLoader } from '../dealer/policy.ts';
import { userLoader } from '../user/policy.ts';
import { ApiClientModel, type ApiClientRecord, clientsPerDealer } from './model.ts';
import { readApiClient } from './readApiClient.ts';

/**
 * Creates an API client. A retry under the same key returns the secret again, because the first response may have been
 * lost. The stored response is encrypted.
 */
export async function createDealerApiClient(
  input: CreateDealerApiClientInput,
  context: RequestContext,
): Promise<{ apiClient: ApiClientRecord; clientSecret: string }> {
  const key = context.platform.secrets.derive('clientSecret');
  const { apiClient, sealedSecret } = await once(context, 'createDealerApiClient', input, async (attempt) => {
    const secret = newOpaqueToken();
    const made = await make(input, context, attempt.newId('client'), secret);
    return { apiClient: made, sealedSecret: seal(key, secret, made._id) };
  });
  const secret = open(key, sealedSecret, apiClient._id);
  if (!secret) throw new Error('The stored secret of an API client cannot be opened.');
  return { apiClient, clientSecret: secret.toString('utf8') };
}

async function make(
  input: CreateDealerApiClientInput,
  context: RequestContext,
  _id: string,
  secret: string,
): Promise<ApiClientRecord> {
  const { viewer, platform, installationId } = context;
  const members = readApiClient(input, platform.now());
  // The guard has found the dealer by the caller's membership, so it exists.
  const dealer = (await context.loader(dealerLoader).load(input.dealerId)) as DealerRecord;
  assertMayChange(dealer);
  const credentials = { secretHash: hashOpaqueToken(secret), secretLast4: secret.slice(-4) };
  const client = {
    _id,
    dealerId: dealer._id,
    ...members,
    ...credentials,
    sessionId: newId('session'),
    lastUsedAt: null,
    createdBy: viewer.id,
    createdAt: new Date(platform.now()),
  };
  const clients = scoped(ApiClientModel, installationId);
  // An earlier run under the same key may have crashed before it returned the secret.
  const earlier = await clients.findOneAndUpdate({ _id }, { $set: credentials });
  if (earlier) return earlier;
  const creator = await context.loader(userLoader).load(viewer.id);
  const { tradeName } = dealer;
  const data = { tradeName, name: client.name, createdBy: creator?.displayName ?? '' };
  return inFreeSlot(context, dealer._id, (slot) =>
    inTransaction(async (session) => {
      const stored = await clients.insert({ ...client, slot }, { session });
      const target = { type: 'client', id: _id };
      await recordAudit(
        context,
        { action: 'createDealerApiClient', target, reason: client.name },
        { session },
      );
      // All owners get a mail about new credentials.
      await mailOwners(context, dealer, { template: 'apiClientCreated', data }, session);
      return stored;
    }),
  );
}

/**
 * Stores a client in a free slot of the dealer. The unique index separates two concurrent choices of one slot, and the
 * later one takes another.
 *
 * @throws AppError `client_limit` if no slot is free
 */
async function inFreeSlot(
  { installationId }: RequestContext,
  dealerId: string,
  store: (slot: number) => Promise<ApiClientRecord>,
): Promise<ApiClientRecord> {
  for (;;) {
    const taken = await scoped(ApiClientModel, installationId).find(
      { dealerId },
      { projection: { slot: 1 }, limit: clientsPerDealer, sort: { slot: 1 } },
    );
    const used = new Set(taken.map(({ slot }) => slot));
    const free = Array.from({ length: clientsPerDealer }, (_, slot) => slot).filter(
      (slot) => !used.has(slot),
    );
    const slot = free[randomInt(Math.max(free.length, 1))];
    if (slot === undefined)
      throw new AppError(
        'client_limit',
        `A dealer can have at most ${clientsPerDealer} API clients. Delete one first.`,
      );
    try {
      return await store(slot);
    } catch (error) {
      // The slot is now taken, so the number of free slots decreases and the loop ends.
      if (!isDuplicateKey(error, 'slot')) throw error;
    }
  }
}
