/**
 * All permissions, with the installation roles that hold them, and the dealer or seller standing that holds them for
 * own objects. They guard staff and operator actions; ownership guards ordinary use of the marketplace.
 */
export const permissions = {
  'users:read': { roles: ['support', 'moderator', 'installation_admin'], own: [] },
  'users:suspend': { roles: ['moderator', 'installation_admin'], own: [] },
  'users:sessions-revoke': { roles: ['support', 'installation_admin'], own: [] },
  'roles:read': { roles: ['installation_admin'], own: [] },
  'roles:assign': { roles: ['installation_admin'], own: [] },
  'audit:read': { roles: ['installation_admin'], own: [] },
  'dealers:read': { roles: ['support', 'moderator', 'finance', 'installation_admin'], own: [] },
  'dealers:write': { roles: ['installation_admin'], own: [] },
  'dealers:verify': { roles: ['moderator', 'installation_admin'], own: [] },
  'dealers:suspend': { roles: ['moderator', 'installation_admin'], own: [] },
  'listings:moderate': { roles: ['moderator', 'installation_admin'], own: [] },
  'reports:manage': { roles: ['support', 'moderator', 'installation_admin'], own: [] },
  'media:moderate': { roles: ['moderator', 'installation_admin'], own: [] },
  'messages:moderate': { roles: ['moderator', 'installation_admin'], own: [] },
  'payments:read': { roles: ['support', 'finance', 'installation_admin'], own: [] },
  'payments:refund': { roles: ['finance', 'installation_admin'], own: [] },
  'disputes:resolve': { roles: ['finance'], own: [] },
  'payouts:hold': { roles: ['finance', 'operator'], own: [] },
  'payouts:release': { roles: ['operator'], own: [] },
  'ledger:adjust': { roles: ['operator'], own: [] },
  'plans:read': { roles: ['operator'], own: [] },
  'usage:read': { roles: ['installation_admin', 'operator'], own: [] },
  'seo:edit': { roles: ['editor', 'installation_admin'], own: ['dealer', 'seller'] },
  'seo:ai': { roles: ['editor', 'installation_admin'], own: [] },
  'seo:admin': { roles: ['installation_admin'], own: [] },
  'translations:read': { roles: ['editor', 'translator', 'installation_admin'], own: ['dealer'] },
  'translations:manage': { roles: ['editor', 'installation_admin'], own: ['dealer'] },
  'seo:reports': { roles: ['editor', 'installation_admin'], own: ['dealer'] },
  'translations:contribute': { roles: ['translator', 'editor'], own: [] },
  'languages:manage': { roles: ['installation_admin'], own: [] },
  'pages:manage': { roles: ['editor', 'installation_admin'], own: [] },
} as const satisfies Record<string, PermissionHolders>;

interface PermissionHolders {
  /** Installation roles (and the platform's `operator`) that hold it for every object of the installation. */
  readonly roles: readonly string[];
  /** Standings that hold it for their own objects: a member of any dealer, or a private seller. */
  readonly own: readonly ('dealer' | 'seller')[];
}

/** Name of a permission. */
export type Permission = keyof typeof permissions;

/** Permissions that another one implies. */
export const impliedPermissions: Partial<Record<Permission, readonly Permission[]>> = {
  'seo:admin': ['seo:edit', 'seo:reports'],
  'translations:manage': ['translations:contribute', 'translations:read'],
  'translations:contribute': ['translations:read'],
};

/** Installation roles that can be stored on a user; `operator` is never one of them. */
export const installationRoles = [
  'buyer',
  'seller',
  'editor',
  'translator',
  'support',
  'moderator',
  'finance',
  'installation_admin',
] as const;

/** Name of an installation role. */
export type InstallationRole = (typeof installationRoles)[number];

/** Scopes an API client of a dealer may hold; a scope narrows and never satisfies a permission. */
export const clientScopes = [
  'dealer:read',
  'listings:read',
  'listings:write',
  'media:read',
  'media:write',
  'messages:read',
  'messages:write',
  'payments:read',
  'content:seo',
  'content:translate',
] as const;

/** Name of an API client's scope. */
export type ClientScope = (typeof clientScopes)[number];
