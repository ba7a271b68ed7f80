import { emptyContract } from '../../packages/schema-check/src/Contract.ts';
import { checkShop, type Edits, idsOf, shopBase, shopSource } from '../../test/schema-check/shopFixture.ts';
import { checkContract } from './checkContract.ts';

const shop = 'subgraphs/shop';
const reviews = 'subgraphs/reviews';
const listing = 'rest-facade/identity/listing/listing.graphql';
const createListing = 'rest-facade/identity/listing/createListing.graphql';
const closeListing = 'rest-facade/identity/listing/closeListing.graphql';
const categories = 'rest-facade/seo/categories.graphql';
const dashboard = 'schema/operations/dashboard.graphql';
const getListing = 'GET /api/v1/listings/{listingId}';

// `test/schema-check` tests each kind of change alone. These edits of the sources change REST and GraphQL.
test.each<[string, Edits, string[]]>([
  [
    'removing a field from the schema and its route',
    {
      [shop]: [[' subtitle: String state: ListingState! price', ' state: ListingState! price']],
      [listing]: [['title subtitle', 'title']],
    },
    ['field-removed:Listing.subtitle', 'response-property-removed:schemas/ListingInListing subtitle'],
  ],
  [
    'removing a field from the schema and the registered operation that used it',
    { [shop]: [[' attributes: JSON', '']], [dashboard]: [['attributes', 'id']] },
    ['field-removed:Listing.attributes'],
  ],
  [
    'making a field nullable',
    { [shop]: [['createdAt: DateTime!', 'createdAt: DateTime']] },
    ['field-type-changed:Listing.createdAt', 'response-became-nullable:schemas/ListingInListing createdAt'],
  ],
  [
    'making the items of a list nullable',
    { [reviews]: [['reviews: [Review!]!', 'reviews: [Review]!']] },
    ['field-type-changed:Listing.reviews', 'response-became-nullable:schemas/ListingInListing reviews[]'],
  ],
  [
    'changing the scalar of a field',
    { [shop]: [['version: Int!', 'version: String!']] },
    [
      'field-type-changed:Listing.version',
      'response-type-changed:schemas/Listing version',
      'response-type-changed:schemas/ListingInListing version',
    ],
  ],
  [
    'changing the format of a field',
    { [shop]: [['url: URL', 'url: String']] },
    ['field-type-changed:Listing.url', 'response-format-changed:schemas/ListingInListing url'],
  ],
  [
    'adding a required member to an input',
    { [shop]: [['input CreateListingInput { title', 'input CreateListingInput { category: ID! title']] },
    [
      'request-required-property-added:POST /api/v1/listings body category',
      'required-input-field-added:CreateListingInput.category',
    ],
  ],
  [
    'making a member of an input non-null',
    {
      [shop]: [
        [
          'CreateListingInput { title: String! subtitle: String',
          'CreateListingInput { title: String! subtitle: String!',
        ],
      ],
    },
    [
      'field-type-changed:CreateListingInput.subtitle',
      'request-null-refused:POST /api/v1/listings body subtitle',
      'request-property-became-required:POST /api/v1/listings body subtitle',
    ],
  ],
  [
    'removing the default of a non-null member of an input',
    { [shop]: [['currency: String! = "EUR"', 'currency: String!']] },
    [
      'input-field-became-required:PriceInput.currency',
      'request-property-became-required:schemas/PriceInput currency',
    ],
  ],
  [
    'removing an enum value',
    { [shop]: [['DRAFT PUBLISHED CLOSED', 'DRAFT PUBLISHED']] },
    ['enum-value-removed:ListingState.CLOSED', 'request-enum-narrowed:schemas/ListingState "closed"'],
  ],
  [
    'adding a required argument',
    {
      [shop]: [['categories: [', 'categories(market: String!): [']],
      [categories]: [
        ['query categories', 'query categories($market: String!)'],
        ['categories {', 'categories(market: $market) {'],
      ],
    },
    [
      'required-argument-added:Query.categories(market:)',
      'required-parameter-added:GET /api/rest/seo-tools/v1/categories query:market',
    ],
  ],
  [
    'removing the default of a non-null argument that a registered operation omits',
    { [shop]: [['size: Int! = 10', 'size: Int!']] },
    ['argument-became-required:Query.hits(size:)', `document-invalid:${dashboard}`],
  ],
  [
    'guarding a public field',
    {
      [shop]: [['categories: [Category!]! @guard__public', 'categories: [Category!]! @guard__authenticated']],
    },
    ['guard-stricter:Query.categories', 'security-stricter:GET /api/rest/seo-tools/v1/categories'],
  ],
  [
    'requiring an idempotency key',
    { [shop]: [['@guard__idempotent', '@guard__idempotent(required: true)']] },
    [
      'idempotency-required:Mutation.createListing',
      'parameter-became-required:POST /api/v1/listings header:Idempotency-Key',
    ],
  ],
  ['removing a route', { [categories]: null }, ['route-removed:GET /api/rest/seo-tools/v1/categories']],
  [
    'moving a route',
    { [closeListing]: [['/api/v1/listings/{id}/close', '/api/v1/listings/{id}/closing']] },
    ['route-moved:POST /api/v1/listings/{id}/close'],
  ],
  [
    'changing the result of a route',
    {
      [createListing]: [
        ['result: "createListing.listing"', 'result: "createListing"'],
        ['{id}', '{listing.id}'],
      ],
    },
    ['id', 'title', 'version'].map((name) => `response-property-removed:POST /api/v1/listings 201 ${name}`),
  ],
  [
    'removing the version tag of a route',
    { [listing]: [[', etag: "version"', '']] },
    [`response-header-removed:${getListing} 200 ETag`, `status-removed:${getListing} 304`],
  ],
  [
    'removing the guard of a nested field whose type has one',
    { [shop]: [[' @guard__permission(name: "listings:moderate")', '']] },
    ['guard-looser:Listing.internalNote'],
  ],
])('%s is reported as breaking', (_, edits, ids) => {
  expect(idsOf(edits, 'breaking')).toEqual(ids.toSorted());
});

test.each<[string, Edits, string[]]>([
  ['no change', {}, []],
  [
    'removing a type and its field that no operation uses',
    {
      [shop]: [
        [' legacy: Legacy', ''],
        ['type Legacy { code: String }', ''],
      ],
    },
    ['field-removed:ListingPayload.legacy', 'type-removed:Legacy'],
  ],
  [
    'removing the last field of a built-in scalar',
    { [shop]: [[' unusedScore: Float', '']] },
    ['type-removed:Float'],
  ],
  [
    'adding an enum value',
    { [shop]: [['DRAFT PUBLISHED CLOSED', 'DRAFT PUBLISHED CLOSED SOLD']] },
    [
      'enum-value-added:ListingState.SOLD',
      'request-enum-widened:schemas/ListingState "sold"',
      'response-enum-widened:schemas/ListingState "sold"',
    ],
  ],
  [
    'making a member of an input optional',
    { [shop]: [['CreateListingInput { title: String!', 'CreateListingInput { title: String']] },
    [
      'input-type-relaxed:CreateListingInput.title',
      'request-property-became-optional:POST /api/v1/listings body title',
      'request-null-accepted:POST /api/v1/listings body title',
    ],
  ],
  [
    'selecting a further member in a route',
    { [closeListing]: [['id state', 'id state title']] },
    ['response-property-added:schemas/ListingInCloseListing title'],
  ],
  ['renaming a parameter of a path', { [listing]: [['listingId', 'id']] }, []],
  [
    'moving a selection to a fragment',
    {
      [closeListing]: [
        ['{ id state }', '{ ...closed }'],
        ['\n}', '\n}\nfragment closed on Listing { id state }'],
      ],
    },
    [],
  ],
  ['registering an operation', { 'schema/operations/menu.graphql': 'query menu { categories { id } }' }, []],
])('%s is not reported as breaking', (_, edits, ids) => {
  expect(idsOf(edits, 'breaking')).toEqual([]);
  expect(idsOf(edits, 'dangerous', 'safe')).toEqual(expect.arrayContaining(ids));
});

test('a report contains breaking changes and invalid documents together', () => {
  const ids = idsOf(
    { [reviews]: [['rating: Int ', '']], [dashboard]: [['attributes', 'nothing']], [categories]: null },
    'breaking',
  );
  expect(ids).toEqual([
    `document-invalid:${listing}`,
    `document-invalid:${dashboard}`,
    'field-removed:Listing.rating',
    'route-removed:GET /api/rest/seo-tools/v1/categories',
  ]);
});

test('a report is sorted by severity and contains each change once', () => {
  const { changes } = checkShop({
    [shop]: [
      [' subtitle: String state: ListingState! price', ' state: ListingState! price'],
      ['DRAFT PUBLISHED CLOSED', 'DRAFT PUBLISHED CLOSED SOLD'],
    ],
    [reviews]: [['rating: Int', 'rating: Int stars: Int']],
    [listing]: [['title subtitle', 'title']],
  });
  const severities = changes.map(({ severity }) => severity);
  const inOrder = ['breaking', 'dangerous', 'safe'] as const;
  expect(severities).toEqual(inOrder.flatMap((one) => severities.filter((severity) => severity === one)));
  expect(new Set(severities).size).toBe(3);
  expect(new Set(changes.map(({ id }) => id)).size).toBe(changes.length);
});

test('removing a field is breaking if a registered operation of the base cannot be parsed', () => {
  const base = shopBase();
  const unreadable = { file: 'schema/operations/old.graphql', text: 'query {' };
  const { changes } = checkContract(
    { ...base, operations: [...base.operations, unreadable] },
    shopSource({ [shop]: [[' unusedCode: String', '']] }),
  );
  expect(changes).toMatchObject([{ id: 'field-removed:Listing.unusedCode', severity: 'breaking' }]);
});

test('a contract without a base has no changes, but its invalid documents are reported', () => {
  const nothing = { ...emptyContract, routeDocuments: [] };
  expect(checkContract(nothing, shopSource()).changes).toEqual([]);
  const broken = checkContract(nothing, shopSource({ [dashboard]: [['attributes', 'nothing']] }));
  expect(broken.changes.map(({ id }) => id)).toEqual([`document-invalid:${dashboard}`]);
});

test.each(['api', 'supergraph'] as const)(
  'a base whose %s cannot be parsed causes an error that names the option --base',
  (file) => {
    expect(() => checkContract({ ...shopBase(), [file]: 'type {' }, shopSource())).toThrow(
      /^The (public schema|supergraph) of the base cannot be parsed .*--base <ref\|file\|url>\.$/,
    );
  },
);
