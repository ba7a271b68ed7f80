import type { InstallationRole, Permission } from '../../../../schema/permissions.ts';

/** What the holders of a role do, for those who assign it. */
export const roleMeanings: Readonly<Record<InstallationRole, string>> = {
  buyer: 'Everybody: looks, saves, asks and buys.',
  seller: 'Offers things privately.',
  editor: 'Edits pages, search data and translations.',
  translator: 'Translates texts.',
  support: 'Helps users: sees their accounts and payments, signs them out.',
  moderator: 'Keeps order: reviews listings, media and reports, verifies dealers, suspends users.',
  finance: 'Handles money: refunds, disputes, holds of payouts.',
  installation_admin: 'Administers the installation: appoints the staff and changes the settings.',
};

/** What a permission allows, for those who assign the roles that hold it. A new one does not compile without. */
export const permissionMeanings: Readonly<Record<Permission, string>> = {
  'users:read': 'See users with their addresses, states, sessions and memberships.',
  'users:suspend': 'Suspend users and let them back in.',
  'users:sessions-revoke': 'Sign users out everywhere.',
  'roles:read': 'See which role holds which permission.',
  'roles:assign': 'Give and take every role of the installation.',
  'audit:read': 'See who did what.',
  'dealers:read': 'See dealers with their members and verification.',
  'dealers:write': 'Change the profile of every dealer.',
  'dealers:verify': 'See the documents of dealers, approve and reject them.',
  'dealers:suspend': 'Suspend dealers and let them back in.',
  'listings:moderate': 'See listings in every state, approve and reject them.',
  'reports:manage': 'See and decide reports of users.',
  'media:moderate': 'See and block media.',
  'messages:moderate': 'Remove messages.',
  'payments:read': 'See payments, balances and payouts.',
  'payments:refund': 'Refund payments.',
  'disputes:resolve': 'Decide disputes.',
  'payouts:hold': 'Hold payouts back, and call them off.',
  'payouts:release': 'Release payouts that are held back.',
  'ledger:adjust': 'Correct the ledger.',
  'plans:read': 'See how operations are executed across the subgraphs.',
  'seo:edit': 'Edit search data, and read the content that it is about.',
  'seo:ai': 'Ask for suggestions by a language model.',
  'seo:admin': 'Change the rules of search data and run audits.',
  'translations:read': 'Read translations that are not published, and the originals.',
  'translations:manage': 'Create, link, publish and remove translations.',
  'seo:reports': 'See reports and audits of search data.',
  'translations:contribute': 'Write translations.',
  'languages:manage': 'Change the languages of the installation.',
  'pages:manage': 'Write and publish pages.',
};
