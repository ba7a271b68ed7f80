import type { UserRecord } from '../user/model.ts';

/** Members of a user in administrative lists. */
export type AdminUserEntryParent = Pick<
  UserRecord,
  | '_id'
  | 'email'
  | 'emailVerified'
  | 'givenName'
  | 'familyName'
  | 'displayName'
  | 'accountType'
  | 'state'
  | 'stateReason'
  | 'roles'
  | 'version'
  | 'createdAt'
  | 'updatedAt'
>;

/** Members of a user for the administration. Responses are stored under idempotency keys, so it contains no secret. */
export type AdminUserParent = AdminUserEntryParent &
  Pick<UserRecord, 'phone' | 'locale' | 'timeZone' | 'stateHistory' | 'consents' | 'deletion'> & {
    mfa: { enabled: boolean; activeFactors: number; recoveryCodesLeft: number };
  };

/** Returns a user without credentials. */
export function toAdminUser(user: UserRecord): AdminUserParent {
  const activeFactors = (user.factors ?? []).filter(({ state }) => state === 'active').length;
  return {
    ...toAdminUserEntry(user),
    phone: user.phone,
    locale: user.locale,
    timeZone: user.timeZone,
    stateHistory: user.stateHistory ?? [],
    consents: user.consents ?? [],
    deletion: user.deletion,
    mfa: {
      enabled: activeFactors > 0,
      activeFactors,
      recoveryCodesLeft: user.recoveryCodeHashes?.length ?? 0,
    },
  };
}

/** Returns the members of a user for lists. */
export function toAdminUserEntry(user: UserRecord): AdminUserEntryParent {
  const { _id, email, emailVerified, givenName, familyName, displayName, accountType } = user;
  const { state, stateReason, roles, version, createdAt, updatedAt } = user;
  return {
    _id,
    email,
    emailVerified,
    givenName,
    familyName,
    displayName,
    accountType,
    state,
    stateReason,
    roles,
    version,
    createdAt,
    updatedAt,
  };
}
