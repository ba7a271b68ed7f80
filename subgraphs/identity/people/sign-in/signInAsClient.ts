import type { ClientScope } from '../../../../schema/permissions.ts';
import { assertNetwork } from '../../../platform/auth/assertNetwork.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { authenticateClient } from '../api-client/authenticateClient.ts';
import { issueClientToken } from '../api-client/issueClientToken.ts';
import { ApiClientModel, type ApiClientRecord } from '../api-client/model.ts';
import { isClientScope } from '../api-client/readApiClient.ts';
import type { Grant } from './Grant.ts';
import { invalidMember } from './requiredMember.ts';

/** `lastUsedAt` is no log: one write a minute is enough to see whether a client is in use. */
const usedPrecisionMs = 60_000;

/**
 * Grant type `client_credentials` (RFC 6749, 4.4). An API client of a dealer authenticates and gets an access token
 * without a refresh token. `scope` can restrict its scopes.
 *
 * @throws AppError `client_invalid` for every authentication failure, `origin_not_allowed` after the authentication,
 *   `too_many_attempts`, `validation_failed` for a scope that it does not have
 */
export const signInAsClient: Grant = async (input, context) => {
  const client = await authenticateClient(input, context);
  assertNetwork(client.allowedCidrs, context);
  const scopes = narrow(client.scopes, input.scope);
  await noteUse(client, context);
  return issueClientToken(context, client, scopes);
};

/** Returns the requested scopes (RFC 6749, 3.3), separated by spaces; all scopes if none is requested. */
function narrow(held: readonly ClientScope[], asked: string | null | undefined): readonly ClientScope[] {
  if (asked === null || asked === undefined || asked.trim() === '') return held;
  const words = asked.trim().split(/ +/);
  const lacking = words.find((word) => !isClientScope(word) || !held.includes(word));
  if (lacking === undefined) return held.filter((scope) => words.includes(scope));
  throw invalidMember('scope', `This API client has the scopes: ${held.join(', ')}.`, 'invalid_scope');
}

async function noteUse(
  { _id, lastUsedAt }: ApiClientRecord,
  { installationId, platform }: RequestContext,
): Promise<void> {
  const now = platform.now();
  if (lastUsedAt && now - lastUsedAt.getTime() < usedPrecisionMs) return;
  await scoped(ApiClientModel, installationId).updateMany({ _id }, { $set: { lastUsedAt: new Date(now) } });
}
