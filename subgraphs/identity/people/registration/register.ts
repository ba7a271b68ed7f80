import type { FieldProblem } from '../../../../schema/Problem.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidFields, problem } from '../../../platform/errors/AppError.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { seal } from '../../../platform/secrets/seal.ts';
import type { RegisterInput } from '../../identity.generated.ts';
import { mailEmailVerification } from '../email-verification/mailEmailVerification.ts';
import { requestForAddress, requestId } from '../mail-link/requestForAddress.ts';
import { openSession, type Tokens } from '../session/openSession.ts';
import { createUser, type NewUser } from '../user/createUser.ts';
import { normalizeEmail } from '../user/emailAddress.ts';
import { hashPassword } from '../user/hashPassword.ts';
import { assertPassword, scorePassword } from '../user/passwordRules.ts';
import { checkDisplayName, checkLocale, checkName, checkTimeZone } from '../user/personalText.ts';

interface Registered {
  created: boolean;
  registration: {
    userId: string | null;
    email: string;
    displayName: string;
    passwordScore: number;
    tokens: Tokens | null;
  };
}

/**
 * Registers an account. If the existence of accounts is confidential, known and unknown addresses get the same response
 * without tokens, after the same work. In this case, a job creates the account, or mails the owner of the existing one.
 */
export async function register(input: RegisterInput, context: RequestContext): Promise<Registered> {
  const { installation, platform } = context;
  const profile = readProfile(input, context);
  const owner = { ...profile, installationName: installation.name };
  assertPassword(input.password, owner, '#/password');
  const registration = {
    email: profile.email,
    displayName: profile.displayName,
    passwordScore: scorePassword(input.password, owner),
  };
  if (!installation.settings.revealExistingAccounts) {
    await requestAccount(context, profile, input.password);
    return { created: false, registration: { ...registration, userId: null, tokens: null } };
  }
  // Hashed before the transaction, which must not wait for it.
  const passwordHash = await hashPassword(platform.secrets, input.password);
  const user = await inTransaction(async (session) => {
    const created = await createUser(installation, { ...profile, passwordHash }, platform, { session });
    await mailEmailVerification(context, created, { session });
    return created;
  });
  const tokens = await openSession(context, user, { amr: ['pwd'] });
  return { created: true, registration: { ...registration, userId: user._id, tokens } };
}

/** Stores the request with a hash of the password, because a password must not be stored, not even encrypted. */
async function requestAccount(context: RequestContext, profile: NewUser, password: string): Promise<void> {
  const { platform, installationId } = context;
  const { email } = profile;
  const account: NewUser = { ...profile, passwordHash: await hashPassword(platform.secrets, password) };
  const id = requestId(installationId, 'registration', normalizeEmail(email) ?? '');
  const sealedAccount = seal(platform.secrets.derive('registration'), JSON.stringify(account), id);
  await requestForAddress(context, { kind: 'registration', email, sealedAccount });
}

function readProfile(input: RegisterInput, { installation }: RequestContext) {
  const { givenName, familyName, locale, timeZone } = input;
  const email = input.email.trim();
  const problems: (FieldProblem | null)[] = [
    normalizeEmail(email) === null
      ? problem('#/email', 'An email address must have the form name@example.com.')
      : null,
    checkDisplayName(input.displayName, '#/displayName'),
    givenName ? checkName(givenName, '#/givenName') : null,
    familyName ? checkName(familyName, '#/familyName') : null,
    locale ? checkLocale(installation.locales)(locale, '#/locale') : null,
    timeZone ? checkTimeZone(timeZone, '#/timeZone') : null,
  ];
  const found = problems.filter((problem) => problem !== null);
  if (found.length > 0) throw invalidFields(found);
  return {
    email,
    displayName: input.displayName.trim(),
    givenName: givenName?.trim() || null,
    familyName: familyName?.trim() || null,
    ...(locale ? { locale } : {}),
    ...(timeZone ? { timeZone } : {}),
  };
}
