import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { audienceOf } from '../../../platform/installation/Installation.ts';
import type { IssueTokenInput } from '../../identity.generated.ts';
import { findExternalUser } from '../issuer/findExternalUser.ts';
import { linkIdentity } from '../issuer/linkIdentity.ts';
import { provisionUser } from '../issuer/provisionUser.ts';
import { refuseSubjectToken } from '../issuer/refuseSubjectToken.ts';
import {
  type ExternalIdentity,
  type ExternalTokenType,
  verifyExternalToken,
} from '../issuer/verifyExternalToken.ts';
import { type Tokens, toTokens } from '../session/openSession.ts';
import { readApplication } from '../session/readApplication.ts';
import { spendRefreshToken } from '../session/spendRefreshToken.ts';
import type { UserRecord } from '../user/model.ts';
import { completeSignIn } from './completeSignIn.ts';
import { consumeProof } from './consumeProof.ts';
import type { Grant } from './Grant.ts';
import { invalidMember, requiredMember } from './requiredMember.ts';

const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';
const subjectTokenTypes: Readonly<Record<string, ExternalTokenType>> = {
  'urn:ietf:params:oauth:token-type:id_token': 'id_token',
  [accessTokenType]: 'access_token',
};

/**
 * Grant type `token-exchange` (RFC 8693): a token of an external issuer for a session here. The user is identified by
 * issuer and subject alone; an equal address never links an identity to an account.
 */
export const exchangeToken: Grant = async (input, context) => {
  const clientId = readApplication(input);
  const text = requiredMember(input, 'subjectToken');
  const type = readTypes(input);
  assertTarget(input, context);
  const identity = await verifyExternalToken(text, { type, nonce: input.nonce ?? undefined }, context);
  const user = await findExternalUser(identity, context);
  const tokens =
    !user && input.linkSession
      ? await linkToSession(identity, input.linkSession, context)
      : await signIn(user ?? (await provisionUser(identity, context)), identity, context, {
          clientId,
          linkSession: input.linkSession,
        });
  return { ...tokens, issuedTokenType: accessTokenType };
};

function readTypes(input: IssueTokenInput): ExternalTokenType {
  const stated = requiredMember(input, 'subjectTokenType');
  const type = Object.hasOwn(subjectTokenTypes, stated) ? subjectTokenTypes[stated] : undefined;
  if (!type) {
    const known = Object.keys(subjectTokenTypes).join(' or ');
    throw invalidMember('subjectTokenType', `The type of the subject token must be ${known}.`);
  }
  if (input.requestedTokenType && input.requestedTokenType !== accessTokenType)
    throw invalidMember('requestedTokenType', `The requested token type must be ${accessTokenType}.`);
  return type;
}

/** Checks the target (RFC 8693, 2.2.2): issued tokens are valid only for this installation. */
function assertTarget(input: IssueTokenInput, { installation }: RequestContext): void {
  const own = audienceOf(installation);
  for (const member of ['audience', 'resource'] as const) {
    if (input[member] && input[member] !== own)
      throw invalidMember(member, `The audience must be ${own}.`, 'invalid_target');
  }
}

async function signIn(
  user: UserRecord,
  identity: ExternalIdentity,
  context: RequestContext,
  { clientId, linkSession }: { clientId: string; linkSession: string | null | undefined },
): Promise<Tokens> {
  await spend(identity, context);
  const { authTime } = identity;
  return completeSignIn(context, user, { amr: ['ext'], authTime, clientId, linkSession });
}

async function linkToSession(
  identity: ExternalIdentity,
  refreshToken: string,
  context: RequestContext,
): Promise<Tokens> {
  const session = await spendRefreshToken(refreshToken, context);
  // If the link is refused, the previous token is valid again for half a minute.
  const user = await linkIdentity(identity, session, context, () => spend(identity, context));
  return toTokens(context, session, user.roles);
}

/** Consumes the token, which can be exchanged once, by any caller. */
async function spend({ fingerprint, exchangeableUntil }: ExternalIdentity, context: RequestContext) {
  if (await consumeProof(context, fingerprint, exchangeableUntil)) return;
  throw refuseSubjectToken('token_invalid', 'replay');
}
