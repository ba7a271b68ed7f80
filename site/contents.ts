/**
 * Groups of guides: files of `docs/` without their extension, in reading order. A guide that is not listed here is in
 * the group "More".
 */
export const contents: readonly { readonly title: string; readonly guides: readonly string[] }[] = [
  {
    title: 'Start',
    guides: [
      'getting-started',
      'authentication',
      'tenancy-and-ownership',
      'errors',
      'pagination',
      'concurrency',
      'idempotency',
      'following-events',
      'rest-behaviour',
      'graphql-explorer',
      'clients',
      'generated-clients',
      'glossary',
    ],
  },
  {
    title: 'Frontends',
    guides: [
      'build-a-frontend',
      'frontend-apollo-client',
      'frontend-urql',
      'frontend-relay',
      'frontend-trigate-client',
      'graphql-clients',
      'trusted-documents',
      'client-caches',
      'cors',
    ],
  },
  { title: 'People', guides: ['signing-in', 'external-sign-in', 'administration', 'keys', 'mails'] },
  {
    title: 'Listings',
    guides: ['listings', 'feed-import', 'catalogue-search', 'moderation', 'messaging', 'media', 'storage'],
  },
  { title: 'Money', guides: ['payments', 'ledger'] },
  {
    title: 'Texts',
    guides: [
      'pages',
      'search-optimization',
      'page-comparison',
      'audit-jobs',
      'ai-suggestions',
      'languages-and-translations',
      'relations',
      'readers-language',
    ],
  },
  {
    title: 'Operation',
    guides: [
      'configuration',
      'commands',
      'states',
      'rate-limits',
      'observability',
      'router',
      'deployment',
      'public-pages',
      'engines',
      'speed',
      'embedded-database',
      'schema-checks',
      'releases',
      'registered-operations',
      'api-usage',
      'changelog',
    ],
  },
  { title: 'Behind it', guides: ['adding-a-route', 'testing', 'events'] },
];

/** Files of `docs/` that are not guides: the audit has a separate page. */
export const notGuides: ReadonlySet<string> = new Set(['audit']);
