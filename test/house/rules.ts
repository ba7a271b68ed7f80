/** Forbidden imports by folder. Each row contains a violation, with which a test proves it. */
export interface Boundary {
  readonly name: string;
  /** Reason of the rule. It is printed with an import that breaks the rule. */
  readonly reason: string;
  /** Regular expressions of paths from the root. A module of Node or npm has its name, `fs` or `mongoose`. */
  readonly from: string;
  readonly to: string;
  /** Files with imports that the rule must find. */
  readonly violations: readonly (readonly [file: string, imports: string])[];
}

/** All files of the product outside of these folders. */
const productExcept = (...folders: string[]): string =>
  `^(?!(${folders.join('|')})/)(bench|embedded-db|packages|rest-facade|router|schema|site|app|bin|subgraphs|test)/`;

const npm = (...names: string[]): string => `(^|node_modules/)(${names.join('|')})(/|$)`;

const subgraph = (name: string): Boundary => ({
  name: `${name}-meets-others-in-the-supergraph`,
  reason: 'A subgraph imports schema/ and platform/ only: subgraphs meet in the supergraph.',
  from: `^subgraphs/${name}/`,
  to: productExcept(`subgraphs/${name}`, 'subgraphs/platform', 'schema'),
  violations: [
    [`subgraphs/${name}/a/a.ts`, `subgraphs/${name === 'identity' ? 'translation' : 'identity'}/server.ts`],
  ],
});

/** Domains of each subgraph in layers, from the lowest one. Each can import those before it. */
export const domains = {
  identity: [
    'kernel',
    'mail',
    'media',
    'people',
    'pages',
    'listings',
    'messaging',
    'moderation',
    'payments',
    'feed',
    'privacy',
  ],
  seo: ['engine', 'pages', 'analysis', 'audits', 'ai', 'feed'],
  translation: ['languages', 'objects', 'records', 'relations', 'translations', 'entities', 'feed'],
} as const;

/** A rule for each domain but the uppermost. Rules of identity are named by the domain alone. */
function floors(name: keyof typeof domains): Boundary[] {
  const prefix = name === 'identity' ? '' : `${name}-`;
  return domains[name].slice(0, -1).map((domain, floor) => {
    const above = domains[name].slice(floor + 1);
    return {
      name: `${prefix}${domain}-imports-no-domain-above`,
      reason: `A domain imports those below it. Above ${domain} stand ${above.join(', ')}.`,
      from: `^subgraphs/${name}/${domain}/`,
      to: `^subgraphs/${name}/(${above.join('|')})/`,
      violations: [[`subgraphs/${name}/${domain}/a.ts`, `subgraphs/${name}/${above[0]}/b.ts`]],
    };
  });
}

/** Imports that no row forbids are allowed. */
export const boundaries: readonly Boundary[] = [
  {
    name: 'schema-depends-on-nobody',
    reason:
      'schema/ is the contract: everything else may import it, and it imports nothing but the package that compares it.',
    from: '^schema/',
    to: productExcept('schema', 'packages/schema-check'),
    violations: [['schema/a.ts', 'router/createRouter.ts']],
  },
  {
    name: 'packages-stand-alone',
    reason: 'A package is installed without the product, so it imports nothing of it.',
    from: '^packages/[^/]+/src/',
    to: productExcept('packages'),
    violations: [
      ['packages/client/src/a.ts', 'schema/errorCodes.ts'],
      ['packages/schema-check/src/a.ts', 'schema/errorCodes.ts'],
    ],
  },
  {
    name: 'embedded-database-stands-alone',
    reason: 'The embedded database can be taken out: it imports nothing of the product.',
    from: '^embedded-db/',
    to: productExcept('embedded-db'),
    violations: [['embedded-db/a.ts', 'schema/errorCodes.ts']],
  },
  {
    name: 'executor-stands-alone',
    reason: 'The executor of query plans knows nothing of this product.',
    from: '^router/(execution|transport|limits)/',
    to: productExcept('router/execution', 'router/transport', 'router/limits'),
    violations: [['router/transport/a.ts', 'schema/errorCodes.ts']],
  },
  {
    name: 'engine-stands-alone',
    reason:
      'The engine of analyses is pure: no database, no GraphQL, no network, no files, nothing of the product.',
    from: '^subgraphs/seo/engine/',
    to: `${productExcept('subgraphs/seo/engine')}|${npm('mongoose', 'graphql', 'undici', 'fs', 'fs/promises', 'http', 'net')}`,
    violations: [
      ['subgraphs/seo/engine/a.ts', 'subgraphs/platform/errors/AppError.ts'],
      ['subgraphs/seo/engine/b.ts', 'mongoose'],
      ['subgraphs/seo/engine/c.ts', 'node:fs/promises'],
    ],
  },
  {
    name: 'catalogue-index-stands-alone',
    reason: 'The index of the catalogue can be taken out: it imports nothing of the product.',
    from: '^subgraphs/identity/listings/catalog/columns/',
    to: productExcept('subgraphs/identity/listings/catalog/columns'),
    violations: [
      ['subgraphs/identity/listings/catalog/columns/a.ts', 'subgraphs/platform/errors/AppError.ts'],
    ],
  },
  {
    name: 'platform-knows-no-subgraph',
    reason: 'platform/ is the ground of every subgraph: of the product it imports schema/ only.',
    from: '^subgraphs/platform/',
    to: productExcept('subgraphs/platform', 'schema'),
    violations: [['subgraphs/platform/auth/a.ts', 'subgraphs/identity/server.ts']],
  },
  subgraph('identity'),
  subgraph('seo'),
  subgraph('translation'),
  ...floors('identity'),
  // The domains below ai work without a language model.
  ...floors('seo'),
  ...floors('translation'),
  {
    name: 'router-takes-any-supergraph',
    reason: 'The router imports schema/ and platform/ only, and no database.',
    from: '^router/',
    to: `${productExcept('router', 'subgraphs/platform', 'schema')}|${npm('mongoose')}`,
    violations: [
      ['router/a.ts', 'subgraphs/identity/server.ts'],
      ['router/c.ts', 'mongoose'],
    ],
  },
  {
    name: 'facade-holds-no-rule',
    reason:
      'The facade holds no rule and no data: of the product it imports schema/, platform/storage and site/ only.',
    from: '^rest-facade/',
    to: `${productExcept('rest-facade', 'subgraphs/platform/storage', 'schema', 'site')}|${npm('mongoose')}`,
    violations: [
      ['rest-facade/http/a.ts', 'subgraphs/platform/errors/AppError.ts'],
      ['rest-facade/http/c.ts', 'mongoose'],
    ],
  },
  {
    name: 'documentation-asks-no-running-part',
    reason: 'The documentation is made of the contract and of the tables of states.',
    from: '^site/',
    to: '^(router|rest-facade|embedded-db|app|bin|subgraphs/platform)/',
    violations: [['site/a.ts', 'subgraphs/platform/errors/AppError.ts']],
  },
];
