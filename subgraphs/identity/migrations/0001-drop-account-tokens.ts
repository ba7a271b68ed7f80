import type { Migration } from '../../platform/migration/Migration.ts';

/** Removes the links in mails that releases before 1.0.0-rc.2 stored; `mail_links` has replaced them. */
export const dropAccountTokens: Migration = {
  id: 'identity/0001-drop-account-tokens',
  about: 'Drops the collection account_tokens. Its links are no longer accepted.',
  phase: 'contract',
  async run({ database }) {
    await database.dropCollection('account_tokens');
  },
};
