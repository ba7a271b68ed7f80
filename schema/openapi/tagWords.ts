/** Descriptions of tags: the resources of each group of routes. */
export const tagWords: Readonly<Record<string, string>> = {
  audit: 'Audit events of the installation.',
  auth: 'Registration, sign-in, tokens, signing keys, confirmations by mail, and notices.',
  catalog: 'Public listings, categories and dealers.',
  dealer: 'Dealers, their members, invitations, verification and API clients.',
  listing: 'Listings, their states, imports, favorites, saved searches, reports and moderation.',
  media: 'Images and documents, and their upload.',
  messaging: 'Conversations, messages, blocks and the feed of events.',
  payment: 'Payments, refunds, disputes, payouts, payment methods and the ledger.',
  seo: 'Analyses, recommendations, suggestions, audit jobs and rulesets.',
  service: 'Health, documentation and files.',
  translation: 'Languages, relations and translations.',
  user: 'The own account, sessions, second factors, data exports, and user administration.',
};
