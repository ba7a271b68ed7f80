import type { RegisterInput } from '../../../schema/identity.generated.ts';
import type { FieldProblem } from '../../../schema/Problem.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError, invalidFields } from '../../platform/errors/AppError.ts';
import { openSession, type Tokens } from '../session/openSession.ts';
import { createUser } from './createUser.ts';
import { normalizeEmail } from './emailAddress.ts';
import type { UserRecord } from './model.ts';
import { assertPassword, scorePassword } from './passwordRules.ts';
import { checkDisplayName, checkLocale, checkName, checkTimeZone } from './personalText.ts';

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
 * Where the installation does not reveal whether an address is known, both answers are the same, tokens left out; the
 * password is hashed either way, so they also take the same time.
 */
export async function register(input: RegisterInput, context: RequestContext): Promise<Registered> {
  const { installation, platform } = context;
  const profile = readProfile(input, context);
  const owner = { ...profile, installationName: installation.name };
  assertPassword(input.password, owner, '#/password');
  const conceals = !installation.settings.revealExistingAccounts;
  const user = await createUser(installation, { ...profile, password: input.password }, platform).catch(
    (error: unknown) => {
      if (conceals && error instanceof AppError && error.code === 'email_taken') return null;
      throw error;
    },
  );
  return {
    created: !conceals,
    registration: {
      userId: conceals ? null : (user as UserRecord)._id,
      email: profile.email,
      displayName: profile.displayName,
      passwordScore: scorePassword(input.password, owner),
      tokens: conceals ? null : await openSession(context, user as UserRecord, { amr: ['pwd'] }),
    },
  };
}

function readProfile(input: RegisterInput, { installation }: RequestContext) {
  const { givenName, familyName, locale, timeZone } = input;
  const email = input.email.trim();
  const problems: (FieldProblem | null)[] = [
    normalizeEmail(email) === null
      ? { pointer: '#/email', code: 'validation_failed', detail: 'This is no e-mail address.' }
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
