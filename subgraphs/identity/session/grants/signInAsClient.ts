import { timingSafeEqual } from 'node:crypto';
import type { ClientScope } from '../../../../schema/permissions.ts';
import { assertNetwork } from '../../../platform/auth/assertNetwork.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields } from '../../../platform/errors/AppError.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { hashOpaqueToken } from '../../../platform/token/opaqueToken.ts';
import { issueClientToken } from '../../api-client/issueClientToken.ts';
import { ApiClientModel, type ApiClientRecord } from '../../api-client/model.ts';
import { isClientScope } from '../../api-client/readApiClient.ts';
import { changeableStates } from '../../dealer/assertMayChange.ts';
import { DealerModel } from '../../dealer/model.ts';
import { createLoginThrottle } from '../loginThrottle.ts';
import type { Grant } from './Grant.ts';

/** What an unknown client's secret is compared with, so that it costs what a known one's does. */
const nobodysHash = hashOpaqueToken('');
/** `lastUsedAt` is no log: one write a minute is enough to see whether a client is in use. */
const usedPrecisionMs = 60_000;

/**
 * Grant type `client_credentials` (RFC 6749, 4.4): an API client of a dealer proves itself and gets an access token that
 * it cannot refresh. `scope` asks for less than it has.
 *
 * @throws AppError `client_invalid` for every reason not to know it, `origin_not_allowed` once it is known,
 *   `too_many_attempts`, `validation_failed` for a scope that it does not have
 */
export const signInAsClient: Grant = async (input, context) => {
  const { clientId, clientSecret } = input;
  if (!clientId || !clientSecret) throw clientInvalid();
  const throttle = createLoginThrottle(context, clientId);
  await throttle.assertOpen();
  const client = await findClient(clientId, clientSecret, context);
  if (!client) {
    await throttle.recordFailure();
    throw clientInvalid();
  }
  await throttle.recordSuccess();
  assertNetwork(client.allowedCidrs, context);
  const scopes = narrow(client.scopes, input.scope);
  await noteUse(client, context);
  return issueClientToken(context, client, scopes);
};

async function findClient(
  clientId: string,
  secret: string,
  { installationId, platform }: RequestContext,
): Promise<ApiClientRecord | null> {
  const isKnowable = isId('client', clientId);
  const client = isKnowable ? await scoped(ApiClientModel, installationId).findOne({ _id: clientId }) : null;
  const fits = isSame(hashOpaqueToken(secret), client?.secretHash ?? nobodysHash);
  if (!client || !fits || (client.expiresAt && client.expiresAt.getTime() <= platform.now())) return null;
  const dealer = await scoped(DealerModel, installationId).findOne(
    { _id: client.dealerId, state: { $in: [...changeableStates, 'suspended'] } },
    { projection: { _id: 1 } },
  );
  return dealer && client;
}

function isSame(hash: string, stored: string): boolean {
  const [a, b] = [Buffer.from(hash), Buffer.from(stored)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** RFC 6749, 3.3: scopes between spaces; none asked for means all of them. */
function narrow(held: readonly ClientScope[], asked: string | null | undefined): readonly ClientScope[] {
  if (asked === null || asked === undefined || asked.trim() === '') return held;
  const words = asked.trim().split(/ +/);
  const lacking = words.find((word) => !isClientScope(word) || !held.includes(word));
  if (lacking === undefined) return held.filter((scope) => words.includes(scope));
  const detail = `This API client has the scopes: ${held.join(', ')}.`;
  const { code, details } = invalidFields([{ pointer: '#/scope', code: 'validation_failed', detail }]);
  throw new AppError(code, detail, { ...details, error: 'invalid_scope' });
}

async function noteUse(
  { _id, lastUsedAt }: ApiClientRecord,
  { installationId, platform }: RequestContext,
): Promise<void> {
  const now = platform.now();
  if (lastUsedAt && now - lastUsedAt.getTime() < usedPrecisionMs) return;
  await scoped(ApiClientModel, installationId).updateMany({ _id }, { $set: { lastUsedAt: new Date(now) } });
}

/** One answer for a client that nobody knows, a wrong secret, an expired client and a dealer that is closed. */
function clientInvalid(): AppError {
  return new AppError(
    'client_invalid',
    'Id or secret of the API client are wrong, or it is not good any more.',
    {
      error: 'invalid_client',
    },
  );
}
