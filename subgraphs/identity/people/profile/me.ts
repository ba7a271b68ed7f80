import type { InstallationRole } from '../../../../schema/permissions.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { DealerState } from '../../identity.generated.ts';
import { peopleHooks, type UnreadConversation } from '../hooks/peopleHooks.ts';
import { hasActiveFactor, liveFactors } from '../mfa-factor/liveFactors.ts';
import { defaultPreferences } from '../user/createUser.ts';
import { UserModel, type UserRecord } from '../user/model.ts';

/** Returns the caller's profile, in one command after the authentication; an API client has no profile. */
export async function me(context: RequestContext) {
  const { viewer } = context;
  if (viewer.token.subjectType !== 'user') return toMe(context, null);
  const { unread } = peopleHooks.bound;
  const [record] = await scoped(UserModel, context.installationId).aggregate<
    UserRecord & { waiting: UnreadConversation[] }
  >({ _id: viewer.id }, [unread.lookUp(context)]);
  if (!record) {
    throw new AppError('subject_unknown', 'This account no longer exists.', {
      challenge: 'error="invalid_token"',
    });
  }
  return toMe(context, record, unread.sum(record.waiting, viewer));
}

/** Parent of the resolvers of `Me`. */
export type MeParent = ReturnType<typeof toMe>;

/** Parent of the resolvers of `MeCounts`: unread messages, or null if they have to be counted. */
export interface MeCountsParent {
  unread: number | null;
}

/** Returns the authenticated user's own profile, with the user's current permissions. */
export function toMe(
  { viewer, installation, platform }: RequestContext,
  record: UserRecord | null,
  unread: number | null = null,
) {
  const { token, principal } = viewer;
  const factors = record?.factors ?? [];
  const demanding: readonly string[] = installation.settings.mfaRequiredRoles;
  return {
    ...profileOf(record),
    id: viewer.id,
    subjectType: token.subjectType,
    emailVerified: principal.emailVerified,
    state: principal.state,
    // The operator role belongs to the platform; `type` states it.
    roles: viewer.isOperator ? [] : (principal.roles as readonly InstallationRole[]),
    permissions: [...viewer.permissions].sort(),
    scopes: [...token.scopes].sort(),
    installation: { ...installation },
    dealerMemberships: principal.memberships.map((membership) => ({
      ...membership,
      dealerState: membership.dealerState as DealerState,
    })),
    mfa: {
      enabled: hasActiveFactor(factors),
      requiredByRole: principal.roles.some((role) => demanding.includes(role)),
      factors: liveFactors(factors, platform.now()),
      recoveryCodesLeft: record?.recoveryCodeHashes?.length ?? 0,
    },
    counts: { unread },
    session: {
      id: token.sessionId,
      authTime: new Date(token.authTime * 1000),
      amr: token.amr,
      accessExpiresAt: new Date(token.expiresAt * 1000),
    },
  };
}

function profileOf(record: UserRecord | null) {
  return {
    email: record?.email,
    givenName: record?.givenName,
    familyName: record?.familyName,
    displayName: record?.displayName,
    phone: record?.phone,
    avatarMediaId: record?.avatarMediaId,
    locale: record?.locale,
    timeZone: record?.timeZone,
    accountType: record?.accountType,
    stateReason: record?.stateReason,
    consents: record?.consents ?? [],
    // Topics that were added after the account was stored have their default.
    notificationPreferences: record && { ...defaultPreferences, ...record.notificationPreferences },
    deletion: record?.deletion,
    version: record?.version,
    createdAt: record?.createdAt,
    updatedAt: record?.updatedAt,
  };
}
