import type { IssueTokenInput } from '../../../schema/identity.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError, invalidFields } from '../../platform/errors/AppError.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { normalizeEmail } from '../user/emailAddress.ts';
import { hashPassword, needsRehash, verifyPassword } from '../user/hashPassword.ts';
import { UserModel } from '../user/model.ts';
import { createLoginThrottle } from './loginThrottle.ts';
import { openSession, type Tokens } from './openSession.ts';
import { refreshSession } from './refreshSession.ts';

const grants = { password: signInWithPassword, refresh_token: refresh } as const;
const clientIdPattern = /^[A-Za-z0-9._-]{1,64}$/;

/** Every failure carries OAuth's `error` (RFC 6749, 5.2) beside the problem's own code. */
export async function issueToken(input: IssueTokenInput, context: RequestContext): Promise<Tokens> {
  const grant = Object.hasOwn(grants, input.grantType)
    ? grants[input.grantType as keyof typeof grants]
    : undefined;
  if (!grant) {
    throw new AppError(
      'unsupported_grant_type',
      `The grant type is one of: ${Object.keys(grants).join(', ')}.`,
      { error: 'unsupported_grant_type' },
    );
  }
  return grant(input, context);
}

async function signInWithPassword(input: IssueTokenInput, context: RequestContext): Promise<Tokens> {
  const username = required(input, 'username');
  const password = required(input, 'password');
  const clientId = readClientId(input.clientId);
  // What is no address has no account, and still costs what an account costs.
  const account = normalizeEmail(username.trim()) ?? username.slice(0, 254).toLowerCase();
  const throttle = createLoginThrottle(context, account);
  await throttle.assertOpen();
  const { secrets } = context.platform;
  const users = scoped(UserModel, context.installationId);
  const user = await users.findOne({ emailNormalized: account });
  const fits = await verifyPassword(secrets, user?.passwordHash ?? null, password);
  if (!user || !fits || user.state === 'deleted') {
    await throttle.recordFailure();
    throw new AppError('invalid_credentials', 'Address or password are wrong.', { error: 'invalid_grant' });
  }
  await throttle.recordSuccess();
  if (user.passwordHash !== null && needsRehash(user.passwordHash)) {
    await users.findOneAndUpdate(
      { _id: user._id, passwordHash: user.passwordHash },
      { $set: { passwordHash: await hashPassword(secrets, password) } },
    );
  }
  return openSession(context, user, { amr: ['pwd'], ...(clientId ? { clientId } : {}) });
}

function refresh(input: IssueTokenInput, context: RequestContext): Promise<Tokens> {
  return refreshSession(required(input, 'refreshToken'), context);
}

function required(input: IssueTokenInput, member: 'username' | 'password' | 'refreshToken'): string {
  const value = input[member];
  if (value) return value;
  const detail = `The grant type "${input.grantType}" needs this member.`;
  const failure = invalidFields([{ pointer: `#/${member}`, code: 'validation_failed', detail }]);
  throw new AppError(failure.code, detail, { ...failure.details, error: 'invalid_request' });
}

/** API clients are known by `cli_…`; an application that calls itself so would pass for one in logs. */
function readClientId(clientId: string | null | undefined): string | undefined {
  if (clientId === null || clientId === undefined) return undefined;
  if (clientIdPattern.test(clientId) && !clientId.startsWith('cli_')) return clientId;
  throw new AppError('client_invalid', 'This is not the name of a first-party application.', {
    error: 'invalid_client',
  });
}
