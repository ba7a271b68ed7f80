import type { InstallationRole, Permission } from '../../../../schema/permissions.ts';

/** Description of a role, for users who assign it. */
export const roleMeanings: Readonly<Record<InstallationRole, string>> = {
  buyer: 'Every user: searches, saves, asks and buys.',
  seller: 'Sells privately.',
  editor: 'Edits pages, SEO data and translations.',
  translator: 'Translates texts.',
  support: 'Supports users: sees their accounts and payments, and ends their sessions.',
  moderator: 'Moderates: reviews listings, media and reports, verifies dealers, suspends users.',
  finance: 'Handles money: refunds, disputes and payout holds.',
  installation_admin: 'Administers the installation: assigns roles and changes settings.',
};

/** Description of a permission, for users who assign its roles. A new one needs a description to compile. */
export const permissionMeanings: Readonly<Record<Permission, string>> = {
  'users:read': 'See users with their addresses, states, sessions and memberships.',
  'users:suspend': 'Suspend and reinstate users.',
  'users:sessions-revoke': 'End all sessions of users.',
  'roles:read': 'See the permissions of each role.',
  'roles:assign': 'Assign and remove every role of the installation.',
  'audit:read': 'See who did what.',
  'dealers:read': 'See dealers with their members and verification.',
  'dealers:write': 'Change the profile of every dealer.',
  'dealers:verify': 'See the documents of dealers, approve and reject them.',
  'dealers:suspend': 'Suspend and reinstate dealers.',
  'listings:moderate': 'See listings in every state, approve and reject them.',
  'reports:manage': 'See and resolve reports by users.',
  'media:moderate': 'See and block media.',
  'messages:moderate': 'Remove messages.',
  'payments:read': 'See payments, balances and payouts.',
  'payments:refund': 'Refund payments.',
  'disputes:resolve': 'Decide disputes.',
  'payouts:hold': 'Hold and cancel payouts.',
  'payouts:release': 'Release payouts on hold.',
  'ledger:adjust': 'Create ledger adjustments.',
  'plans:read': 'See query plans and subgraph requests of operations.',
  'usage:read': 'See which clients use which parts of the API.',
  'seo:edit': 'Edit SEO data, and read the content it describes.',
  'seo:ai': 'Request suggestions by a language model.',
  'seo:admin': 'Change the SEO ruleset and run audits.',
  'translations:read': 'Read translations that are not published, and the originals.',
  'translations:manage': 'Create, link, publish and remove translations.',
  'seo:reports': 'See SEO reports and audits.',
  'translations:contribute': 'Write translations.',
  'languages:manage': 'Change the languages of the installation.',
  'pages:manage': 'Write and publish pages.',
};
