import type { InstallationRole } from '../../../../schema/permissions.ts';
import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { isDuplicateKey } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { mailEmailVerification } from '../email-verification/mailEmailVerification.ts';
import { createUser, type NewUser, rolesOfEverybody } from '../user/createUser.ts';
import { normalizeEmail } from '../user/emailAddress.ts';
import type { UserRecord } from '../user/model.ts';
import { checkDisplayName } from '../user/personalText.ts';
import { findExternalUser } from './findExternalUser.ts';
import { refuseSubjectToken } from './refuseSubjectToken.ts';
import type { ExternalIdentity } from './verifyExternalToken.ts';

/**
 * Creates an account for an external identity. Of concurrent requests for one subject, one creates the account, and all
 * find it.
 */
export async function provisionUser(
  identity: ExternalIdentity,
  context: RequestContext,
): Promise<UserRecord> {
  if (!identity.issuer.autoProvision) throw refuseSubjectToken('subject_unknown', 'subject');
  const user = toNewUser(identity, context);
  try {
    return await inTransaction((session) => store(user, identity, context, session));
  } catch (error) {
    const isLate = isDuplicateKey(error) || (error instanceof AppError && error.code === 'email_taken');
    const found = isLate ? await findExternalUser(identity, context) : null;
    if (found) return found;
    throw error instanceof AppError && error.code === 'email_taken' ? emailTaken() : error;
  }
}

async function store(
  user: NewUser,
  { issuer }: ExternalIdentity,
  context: RequestContext,
  session: Parameters<Parameters<typeof inTransaction>[0]>[0],
): Promise<UserRecord> {
  const record = await createUser(context.installation, user, context.platform, { session });
  if (!record.emailVerified) await mailEmailVerification(context, record, { session });
  await recordAudit(
    context,
    {
      actor: { type: 'system', id: issuer._id },
      action: 'provisionUser',
      target: { type: 'user', id: record._id },
      reason: `roles: ${record.roles.join(', ')}`,
    },
    { session },
  );
  return record;
}

function toNewUser(identity: ExternalIdentity, { installation, platform }: RequestContext): NewUser {
  const { issuer, subject, profile } = identity;
  const { email, emailVerified } = profile;
  if (email === null || normalizeEmail(email) === null) {
    throw new AppError(
      'validation_failed',
      'The token of the issuer contains no email address, which an account needs.',
      {
        error: 'invalid_request',
      },
    );
  }
  // If the existence of accounts is confidential, an address that the issuer has not verified is not looked up either.
  if (!emailVerified && !installation.settings.revealExistingAccounts) {
    throw new AppError('email_unverified', 'The issuer has not verified the email address.', {
      error: 'invalid_request',
    });
  }
  const roles = [...new Set([...rolesOfEverybody(installation), ...profile.roles])];
  return {
    email,
    emailVerified,
    displayName: displayNameOf(profile.name, email),
    roles,
    accountType: roles.every(isEverybodys) ? 'personal' : 'staff',
    externalIdentities: [{ issuer: issuer.issuer, subject, linkedAt: new Date(platform.now()) }],
  };
}

function isEverybodys(role: InstallationRole): boolean {
  return role === 'buyer' || role === 'seller';
}

/** Returns the user's name at the issuer if it can be shown to others, otherwise the local part of the address. */
function displayNameOf(name: string | null, email: string): string {
  if (name !== null && checkDisplayName(name, '') === null) return name.trim();
  return email.slice(0, email.lastIndexOf('@')).slice(0, 60);
}

function emailTaken(): AppError {
  return new AppError(
    'email_taken',
    'An account with this email address already exists. Sign in to it and exchange the token with `link_session`.',
    { error: 'invalid_request' },
  );
}
