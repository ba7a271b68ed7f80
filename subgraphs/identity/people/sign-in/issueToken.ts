import { type GrantType, grantTypes } from '../../../../schema/grantTypes.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import type { IssueTokenInput } from '../../identity.generated.ts';
import type { Tokens } from '../session/openSession.ts';
import { exchangeToken } from './exchangeToken.ts';
import type { Grant } from './Grant.ts';
import { refreshSession } from './refreshSession.ts';
import { refuseCookie } from './refuseCookie.ts';
import { signInAsClient } from './signInAsClient.ts';
import { signInWithOtp } from './signInWithOtp.ts';
import { signInWithPassword } from './signInWithPassword.ts';

/** All grant types. */
const grants: Readonly<Record<GrantType, Grant>> = {
  password: signInWithPassword,
  'urn:marketplace:mfa-otp': signInWithOtp,
  refresh_token: refreshSession,
  client_credentials: signInAsClient,
  'urn:ietf:params:oauth:grant-type:token-exchange': exchangeToken,
};

export async function issueToken(input: IssueTokenInput, context: RequestContext): Promise<Tokens> {
  refuseCookie(input);
  const grantType = grantTypes.find((name) => name === input.grantType);
  if (grantType) return grants[grantType](input, context);
  throw new AppError('unsupported_grant_type', `The grant type must be one of: ${grantTypes.join(', ')}.`, {
    error: 'unsupported_grant_type',
  });
}
