import { type DealerRole, dealerRoles } from '../../../schema/guards/readGuard.ts';
import {
  type ClientScope,
  impliedPermissions,
  type Permission,
  permissions,
} from '../../../schema/permissions.ts';

/** States of a user; see the user's state machine. */
export type UserState = 'unverified' | 'active' | 'suspended' | 'deletion_scheduled' | 'deleted';

/** Membership of a user in a dealer, or of an API client in its one dealer (as manager). */
export interface DealerMembership {
  readonly dealerId: string;
  readonly name: string;
  readonly dealerState: string;
  readonly role: DealerRole;
  /** Locations the member is restricted to; empty means all. */
  readonly locationIds: readonly string[];
}

/** Current state of the principal in the database; tokens contain none of it. */
export interface Principal {
  readonly state: UserState;
  readonly emailVerified: boolean;
  readonly roles: readonly string[];
  readonly memberships: readonly DealerMembership[];
  /** Networks that an API client may call from; empty or absent: every one. */
  readonly allowedCidrs?: readonly string[];
}

/** Facts of the verified token. */
export interface TokenFacts {
  readonly subject: string;
  readonly subjectType: 'user' | 'client' | 'operator';
  readonly installationId: string;
  readonly sessionId: string;
  readonly scopes: ReadonlySet<string>;
  /** Seconds since 1970. */
  readonly authTime: number;
  readonly amr: readonly string[];
  readonly acr?: string | undefined;
  readonly dealerId?: string | undefined;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

const nothing: ReadonlySet<Permission> = new Set();

/**
 * The caller, as policies see it. A user without effective roles is suspended, in deletion, or lacks a required second
 * factor. Such a user keeps the roles but holds none of their permissions, so that public fields do not treat the user
 * as staff.
 */
export class Viewer {
  readonly token: TokenFacts;
  readonly principal: Principal;
  /** A role of the user demands a second factor, and this sign-in did without. */
  readonly lacksMfa: boolean;
  readonly #any: ReadonlySet<Permission>;
  readonly #own: ReadonlySet<Permission>;

  /**
   * Creates a viewer.
   *
   * @param mfaRequiredRoles roles of the installation whose holders must use a second factor
   */
  constructor(token: TokenFacts, principal: Principal, mfaRequiredRoles: readonly string[] = []) {
    this.token = token;
    this.principal = principal;
    this.lacksMfa =
      mfaRequiredRoles.length > 0 &&
      !token.amr.includes('otp') &&
      principal.roles.some((role) => mfaRequiredRoles.includes(role));
    const isInOffice = !this.lacksMfa && (principal.state === 'active' || principal.state === 'unverified');
    this.#any = this.isClient || !isInOffice ? nothing : heldByRoles(principal.roles);
    this.#own = isInOffice ? ownPermissions(this) : nothing;
  }

  /** Returns `usr_…`, `cli_…` or `opr_…`. */
  get id(): string {
    return this.token.subject;
  }

  get installationId(): string {
    return this.token.installationId;
  }

  /** A machine credential of one dealer: it has scopes and no permissions. */
  get isClient(): boolean {
    return this.token.subjectType === 'client';
  }

  /** Returns the same caller with the second factor, to check whether a permission is missing as well. */
  get withMfa(): Viewer {
    return this.lacksMfa ? new Viewer(this.token, this.principal) : this;
  }

  /** Returns whether it is an operator of the platform, who holds its permissions here and owns nothing. */
  get isOperator(): boolean {
    return this.token.subjectType === 'operator';
  }

  /** Returns the permissions over every object of the installation. */
  get permissions(): ReadonlySet<Permission> {
    return this.#any;
  }

  /** Returns the breadth of a permission: every object, own objects, or none. */
  breadthOf(permission: Permission): 'any' | 'own' | null {
    if (this.#any.has(permission)) return 'any';
    return this.#own.has(permission) ? 'own' : null;
  }

  /** Returns the membership in a dealer, if there is one. */
  membershipOf(dealerId: string): DealerMembership | undefined {
    return this.principal.memberships.find((membership) => membership.dealerId === dealerId);
  }

  /** Returns whether the viewer is a member of the dealer with at least this role. */
  hasDealerRole(dealerId: string, atLeast: DealerRole): boolean {
    const membership = this.membershipOf(dealerId);
    return membership !== undefined && dealerRoles.indexOf(membership.role) >= dealerRoles.indexOf(atLeast);
  }

  hasScope(scope: ClientScope): boolean {
    return this.token.scopes.has(scope);
  }
}

const byRoles = new Map<string, ReadonlySet<Permission>>();

/** Returns the permissions over every object of the installation that these roles hold together. */
export function heldByRoles(roles: readonly string[]): ReadonlySet<Permission> {
  const key = roles.join();
  let held = byRoles.get(key);
  if (!held) {
    const direct = Object.entries(permissions).filter(([, holders]) =>
      holders.roles.some((role) => roles.includes(role)),
    );
    held = withImplied(direct.map(([name]) => name as Permission));
    byRoles.set(key, held);
  }
  return held;
}

const scopeOfInterface: Partial<Record<Permission, ClientScope>> = {
  'seo:edit': 'content:seo',
  'seo:reports': 'content:seo',
  'translations:read': 'content:translate',
  'translations:manage': 'content:translate',
  'translations:contribute': 'content:translate',
};

/** As the kind of owner. */
type OwnerKind = (typeof permissions)[Permission]['own'][number];

function ownPermissions(viewer: Viewer): ReadonlySet<Permission> {
  const { memberships, roles } = viewer.principal;
  const names = heldByOwner(memberships.length > 0, roles.includes('seller'));
  if (!viewer.isClient) return names;
  return new Set([...names].filter((name) => viewer.token.scopes.has(scopeOfInterface[name] ?? '')));
}

const byOwner = new Map<string, ReadonlySet<Permission>>();

function heldByOwner(isDealer: boolean, isSeller: boolean): ReadonlySet<Permission> {
  const kinds: readonly OwnerKind[] = [
    ...(isDealer ? (['dealer'] as const) : []),
    ...(isSeller ? (['seller'] as const) : []),
  ];
  const key = kinds.join();
  let held = byOwner.get(key);
  if (!held) {
    const direct = Object.entries(permissions).filter(([, { own }]) =>
      kinds.some((kind) => (own as readonly OwnerKind[]).includes(kind)),
    );
    held = withImplied(direct.map(([name]) => name as Permission));
    byOwner.set(key, held);
  }
  return held;
}

function withImplied(names: readonly Permission[]): ReadonlySet<Permission> {
  const all = new Set(names);
  for (const name of names) for (const implied of impliedPermissions[name] ?? []) all.add(implied);
  return all;
}
