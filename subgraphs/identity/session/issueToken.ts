import type { IssueTokenInput } from '../../../schema/identity.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { exchangeToken } from './grants/exchangeToken.ts';
import type { Grant } from './grants/Grant.ts';
import { refreshSession } from './grants/refreshSession.ts';
import { signInAsClient } from './grants/signInAsClient.ts';
import { signInWithOtp } from './grants/signInWithOtp.ts';
import { signInWithPassword } from './grants/signInWithPassword.ts';
import type { Tokens } from './openSession.ts';

/** Every credential that can be exchanged for tokens. */
const grants: Readonly<Record<string, Grant>> = {
  password: signInWithPassword,
  'urn:marketplace:mfa-otp': signInWithOtp,
  refresh_token: refreshSession,
  client_credentials: signInAsClient,
  'urn:ietf:params:oauth:grant-type:token-exchange': exchangeToken,
};

export async function issueToken(input: IssueTokenInput, context: RequestContext): Promise<Tokens> {
  const grant = Object.hasOwn(grants, input.grantType) ? grants[input.grantType] : undefined;
  if (grant) return grant(input, context);
  const known = Object.keys(grants).join(', ');
  throw new AppError('unsupported_grant_type', `The grant type is one of: ${known}.`, {
    error: 'unsupported_grant_type',
  });
}
