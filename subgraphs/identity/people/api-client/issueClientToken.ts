import type { ClientScope } from '../../../../schema/permissions.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { audienceOf } from '../../../platform/installation/Installation.ts';
import { signAccessToken } from '../../../platform/token/signToken.ts';
import { accessLifeSeconds, type Tokens } from '../session/openSession.ts';
import { currentSigningKey } from '../signing-key/currentSigningKey.ts';
import type { ApiClientRecord } from './model.ts';

/** Returns an access token for an authenticated API client, which authenticates again for the next one. */
export async function issueClientToken(
  { platform, installation }: RequestContext,
  client: Pick<ApiClientRecord, '_id' | 'dealerId' | 'sessionId'>,
  scopes: readonly ClientScope[],
): Promise<Tokens> {
  const accessToken = signAccessToken(
    {
      subject: client._id,
      installationId: installation.id,
      audience: audienceOf(installation),
      sessionId: client.sessionId,
      clientId: client._id,
      dealerId: client.dealerId,
      scopes,
      authTime: Math.floor(platform.now() / 1000),
    },
    await currentSigningKey(platform.secrets),
    { issuer: platform.issuer, lifetimeSeconds: accessLifeSeconds, now: platform.now },
  );
  return {
    accessToken,
    tokenType: 'Bearer',
    expiresIn: accessLifeSeconds,
    refreshToken: null,
    refreshExpiresIn: null,
    scope: scopes.join(' '),
    sessionId: client.sessionId,
  };
}
