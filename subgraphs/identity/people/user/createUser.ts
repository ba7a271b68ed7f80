import type { ClientSession } from 'mongoose';
import type { InstallationRole } from '../../../../schema/permissions.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { newId } from '../../../platform/ids/newId.ts';
import type { Installation } from '../../../platform/installation/Installation.ts';
import { isDuplicateKey, scoped } from '../../../platform/installation/scoped.ts';
import type { Secrets } from '../../../platform/secrets/deriveSecret.ts';
import { normalizeEmail } from './emailAddress.ts';
import { hashPassword } from './hashPassword.ts';
import {
  notificationTopics,
  type StoredExternalIdentity,
  type StoredNotificationPreferences,
  UserModel,
  type UserRecord,
} from './model.ts';

/** Members of a new account; others have a default. */
export interface NewUser {
  email: string;
  displayName: string;
  password?: string;
  /** Result of `hashPassword`, as an alternative to a password. */
  passwordHash?: string;
  givenName?: string | null;
  familyName?: string | null;
  locale?: string;
  timeZone?: string;
  emailVerified?: boolean;
  state?: UserRecord['state'];
  accountType?: UserRecord['accountType'];
  /** Roles; `rolesOfEverybody` by default. */
  roles?: InstallationRole[];
  externalIdentities?: StoredExternalIdentity[];
}

/**
 * Stores a new account. The caller has validated the input; only the address is checked here.
 *
 * @throws AppError `email_taken`; MongoDB's error 11000 if an external identity belongs to another account
 */
export async function createUser(
  installation: Installation,
  user: NewUser,
  { secrets, now }: { secrets: Secrets; now: () => number },
  options: { session?: ClientSession } = {},
): Promise<UserRecord> {
  const emailNormalized = normalizeEmail(user.email);
  if (emailNormalized === null) throw new Error('createUser needs a valid email address.');
  const { emailVerified = false, password } = user;
  const at = new Date(now());
  const _id = newId('user');
  const state = user.state ?? (emailVerified ? 'active' : 'unverified');
  const record: Omit<UserRecord, 'installationId'> = {
    _id,
    email: user.email,
    emailNormalized,
    emailVerified,
    passwordHash:
      user.passwordHash ?? (password === undefined ? null : await hashPassword(secrets, password)),
    externalIdentities: user.externalIdentities ?? [],
    givenName: user.givenName ?? null,
    familyName: user.familyName ?? null,
    displayName: user.displayName,
    phone: null,
    avatarMediaId: null,
    locale: user.locale ?? installation.locales[0] ?? 'en',
    timeZone: user.timeZone ?? 'UTC',
    accountType: user.accountType ?? 'personal',
    state,
    stateReason: null,
    stateHistory: [{ state, by: 'register', actor: { type: 'user', id: _id }, reason: null, at }],
    roles: user.roles ?? rolesOfEverybody(installation),
    notificationPreferences: { ...defaultPreferences },
    consents: [],
    factors: [],
    recoveryCodeHashes: [],
    lastSignInAt: null,
    deletion: null,
    lastExportAt: null,
    erasure: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
  try {
    return await scoped(UserModel, installation.id).insert(record, options);
  } catch (error) {
    if (!isDuplicateKey(error, 'emailNormalized')) throw error;
    throw new AppError('email_taken', 'An account with this email address already exists.');
  }
}

/** Returns `buyer`, and `seller` if every user may post private listings. */
export function rolesOfEverybody({ settings }: Installation): InstallationRole[] {
  return settings.privateSelling ? ['buyer', 'seller'] : ['buyer'];
}

/** Notifications are sent both ways until the user changes that. */
export const defaultPreferences = Object.fromEntries(
  notificationTopics.map((topic) => [topic, Object.freeze({ email: true, inApp: true })]),
) as Readonly<StoredNotificationPreferences>;
