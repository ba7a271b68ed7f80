import { timingSafeEqual } from 'node:crypto';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { hashOpaqueToken } from '../../../platform/credentials/opaqueToken.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { changeableStates } from '../../kernel/dealer-standing/assertMayChange.ts';
import { DealerModel } from '../dealer/model.ts';
import { createLoginThrottle } from '../session/loginThrottle.ts';
import { ApiClientModel, type ApiClientRecord } from './model.ts';

/**
 * Hash that the secret of an unknown client is compared with, so that the duration does not reveal whether the client
 * exists.
 */
const nobodysHash = hashOpaqueToken('');

/** Client credentials as a request states them (RFC 6749, 2.3.1). */
interface ClientCredentials {
  clientId?: string | null | undefined;
  clientSecret?: string | null | undefined;
}

/**
 * Returns the API client that authenticates by id and secret.
 *
 * @throws AppError `client_invalid` for every authentication failure, `too_many_attempts`
 */
export async function authenticateClient(
  { clientId, clientSecret }: ClientCredentials,
  context: RequestContext,
): Promise<ApiClientRecord> {
  if (!clientId || !clientSecret) throw clientInvalid();
  const throttle = createLoginThrottle(context, clientId);
  await throttle.assertOpen();
  const client = await findClient(clientId, clientSecret, context);
  if (!client) {
    await throttle.recordFailure();
    throw clientInvalid();
  }
  await throttle.recordSuccess();
  return client;
}

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

/** Returns the same error for an unknown client, a wrong secret, an expired client and a closed dealer. */
function clientInvalid(): AppError {
  return new AppError(
    'client_invalid',
    'The id or secret of the API client is wrong, or the API client has expired.',
    {
      error: 'invalid_client',
    },
  );
}
