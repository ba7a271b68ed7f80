import { checkContract } from './checkContract.ts';
import type { Severity } from './kinds/Severity.ts';
import { checkShop, type Edits, shopBase, shopSource } from './shopFixture.ts';

const shop = 'subgraphs/shop';
const reviews = 'subgraphs/reviews';
const listing = 'rest-facade/identity/listing/listing.graphql';
const listings = 'rest-facade/identity/listing/listings.graphql';
const createListing = 'rest-facade/identity/listing/createListing.graphql';
const updateListing = 'rest-facade/identity/listing/updateListing.graphql';
const closeListing = 'rest-facade/identity/listing/closeListing.graphql';
const hits = 'rest-facade/seo/hits.graphql';
const categories = 'rest-facade/seo/categories.graphql';
const dashboard = 'schema/operations/dashboard.graphql';

function idsOf(edits: Edits, ...severities: Severity[]): string[] {
  const { changes } = checkShop(edits);
  return changes.filter(({ severity }) => severities.includes(severity)).map(({ id }) => id);
}

const getListing = 'GET /api/v1/listings/{listingId}';

/** What is planted, how, and everything that is breaking about it. */
const breaking: [title: string, edits: Edits, ids: string[]][] = [
  [
    'a field that a route answers with is removed, with the route',
    {
      [shop]: [[' subtitle: String state: ListingState! price', ' state: ListingState! price']],
      [listing]: [['title subtitle', 'title']],
    },
    ['field-removed:Listing.subtitle', `response-property-removed:${getListing} 200 subtitle`],
  ],
  [
    'a field that only a registered operation uses is removed, with the operation',
    { [shop]: [[' attributes: JSON', '']], [dashboard]: [['attributes', 'id']] },
    ['field-removed:Listing.attributes'],
  ],
  [
    'a field that a route document still selects is removed',
    { [reviews]: [['rating: Int ', '']] },
    [`document-invalid:${listing}`, 'field-removed:Listing.rating'],
  ],
  [
    'a field becomes nullable',
    { [shop]: [['createdAt: DateTime!', 'createdAt: DateTime']] },
    ['field-type-changed:Listing.createdAt', `response-became-nullable:${getListing} 200 createdAt`],
  ],
  [
    'the items of a list become nullable',
    { [reviews]: [['reviews: [Review!]!', 'reviews: [Review]!']] },
    ['field-type-changed:Listing.reviews', `response-became-nullable:${getListing} 200 reviews[]`],
  ],
  [
    'a field has another scalar',
    { [shop]: [['version: Int!', 'version: String!']] },
    [
      'field-type-changed:Listing.version',
      `response-type-changed:${getListing} 200 version`,
      'response-type-changed:PATCH /api/v1/listings/{id} 200 version',
      'response-type-changed:POST /api/v1/listings 201 version',
    ],
  ],
  [
    'a field has another format',
    { [shop]: [['url: URL', 'url: String']] },
    ['field-type-changed:Listing.url', `response-format-changed:${getListing} 200 url`],
  ],
  [
    'an input demands a new member',
    { [shop]: [['input CreateListingInput { title', 'input CreateListingInput { category: ID! title']] },
    [
      'request-required-property-added:POST /api/v1/listings body category',
      'required-input-field-added:CreateListingInput.category',
    ],
  ],
  [
    'a member of an input is removed',
    { [shop]: [['tags: [String!] ', '']] },
    ['field-removed:CreateListingInput.tags', 'request-property-removed:POST /api/v1/listings body tags'],
  ],
  [
    'a member of an input becomes non-null',
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
    'a non-null member of an input loses its default',
    { [shop]: [['currency: String! = "EUR"', 'currency: String!']] },
    [
      'input-field-became-required:PriceInput.currency',
      'request-property-became-required:schemas/PriceInput currency',
    ],
  ],
  [
    'an enum value is removed',
    { [shop]: [['DRAFT PUBLISHED CLOSED', 'DRAFT PUBLISHED']] },
    ['enum-value-removed:ListingState.CLOSED', 'request-enum-narrowed:schemas/ListingState "closed"'],
  ],
  [
    'an argument becomes non-null',
    {
      [shop]: [['name(locale: String): String', 'name(locale: String!): String']],
      [hits]: [['id name', 'id name(locale: "en")']],
      [categories]: [['id name', 'id name(locale: "en")']],
    },
    ['argument-type-changed:Category.name(locale:)'],
  ],
  [
    'a required argument is added',
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
    'an argument is removed',
    {
      [shop]: [[', state: ListingState)', ')']],
      [listings]: [
        [', $state: ListingState', ''],
        [', state: $state', ''],
      ],
    },
    ['argument-removed:Query.listings(state:)', 'parameter-removed:GET /api/v1/listings query:state'],
  ],
  [
    'a non-null argument loses its default',
    { [shop]: [['size: Int! = 10', 'size: Int!']] },
    ['argument-became-required:Query.hits(size:)', `document-invalid:${dashboard}`],
  ],
  [
    'a member leaves a union',
    {
      [shop]: [['union Hit = Listing | Category', 'union Hit = Listing']],
      [hits]: [['... on Category { id name } ', '']],
    },
    ['union-member-removed:Hit.Category'],
  ],
  [
    'a type leaves an interface',
    { [shop]: [['type Category implements Node', 'type Category']] },
    ['interface-removed:Category implements Node'],
  ],
  [
    'an enum becomes a scalar',
    {
      [shop]: [
        ['enum Sort { NEWEST CHEAPEST }', 'scalar Sort'],
        ['sort: Sort = NEWEST', 'sort: Sort'],
      ],
    },
    ['type-kind-changed:Sort'],
  ],
  [
    'a public field asks for an identity',
    { [shop]: [['categories: [Category!]! @public', 'categories: [Category!]! @authenticated']] },
    ['guard-stricter:Query.categories', 'security-stricter:GET /api/rest/seo-tools/v1/categories'],
  ],
  [
    'a field asks for a permission',
    { [shop]: [['node(id: ID!): Node @authenticated', 'node(id: ID!): Node @permission(name: "seo:edit")']] },
    ['guard-stricter:Query.node'],
  ],
  [
    'a permission for own objects must reach every object',
    { [shop]: [[', breadth: OWN', '']] },
    ['guard-stricter:Mutation.createListing'],
  ],
  [
    'owners only: the permission that stood for ownership is gone',
    { [shop]: [[', or: "listings:moderate")', ')']] },
    ['guard-stricter:Query.listing'],
  ],
  [
    'a higher dealer role is needed',
    { [shop]: [['atLeast: MANAGER', 'atLeast: OWNER']] },
    ['guard-stricter:Mutation.updateListing'],
  ],
  [
    'API clients are shut out',
    { [shop]: [[' @clientScope(name: "listings:read")', '']] },
    ['guard-stricter:Query.listing'],
  ],
  [
    'the sign-in must be younger',
    { [shop]: [['maxAgeSeconds: 600', 'maxAgeSeconds: 60']] },
    ['guard-stricter:Mutation.closeListing'],
  ],
  [
    'a nested field gets a guard of its own',
    { [shop]: [['attributes: JSON', 'attributes: JSON @permission(name: "listings:moderate")']] },
    ['guard-stricter:Listing.attributes'],
  ],
  [
    'a root field loses its guard',
    { [shop]: [['node(id: ID!): Node @authenticated', 'node(id: ID!): Node']] },
    ['guard-missing:Query.node'],
  ],
  [
    'a limit is lowered',
    { [shop]: [['arrays: 250', 'arrays: 100']] },
    ['limit-lowered:Mutation.createListing arrays'],
  ],
  [
    'an idempotency key becomes required',
    { [shop]: [['@idempotent', '@idempotent(required: true)']] },
    [
      'idempotency-required:Mutation.createListing',
      'parameter-became-required:POST /api/v1/listings header:Idempotency-Key',
    ],
  ],
  [
    'the idempotency key is not honoured any more',
    { [shop]: [[' @idempotent', '']] },
    ['idempotency-removed:Mutation.createListing'],
  ],
  ['a route is removed', { [categories]: null }, ['route-removed:GET /api/rest/seo-tools/v1/categories']],
  [
    'a route moves to another path',
    { [closeListing]: [['/api/v1/listings/{id}/close', '/api/v1/listings/{id}/closing']] },
    ['route-moved:POST /api/v1/listings/{id}/close'],
  ],
  [
    'a route has another method',
    { [updateListing]: [['method: PATCH', 'method: PUT']] },
    ['route-moved:PATCH /api/v1/listings/{id}'],
  ],
  [
    'a route has another status of success',
    { [closeListing]: [['result:', 'status: 202, result:']] },
    ['status-removed:POST /api/v1/listings/{id}/close 200'],
  ],
  [
    'a query parameter has another name',
    { [listings]: [['name: "limit"', 'name: "size"']] },
    ['parameter-removed:GET /api/v1/listings query:limit'],
  ],
  [
    'a route answers with another part of the data',
    {
      [createListing]: [
        ['result: "createListing.listing"', 'result: "createListing"'],
        ['{id}', '{listing.id}'],
      ],
    },
    [
      'response-property-removed:POST /api/v1/listings 201 id',
      'response-property-removed:POST /api/v1/listings 201 title',
      'response-property-removed:POST /api/v1/listings 201 version',
    ],
  ],
  [
    'a route has no version tag any more',
    { [listing]: [[', etag: "version"', '']] },
    [`response-header-removed:${getListing} 200 ETag`, `status-removed:${getListing} 304`],
  ],
  [
    'a registered operation does not fit the schema',
    { [dashboard]: [['attributes', 'nothing']] },
    [`document-invalid:${dashboard}`],
  ],
  [
    'the subgraphs do not compose',
    { [reviews]: [['rating: Int', 'rating: Int title: Int!']] },
    ['composition-failed:supergraph.yaml'],
  ],
];

test.each(breaking)('refused: %s', (_, edits, ids) => {
  expect(idsOf(edits, 'breaking')).toEqual([...ids].sort());
});

/** What is changed, how, and what is said about it. */
const harmless: [title: string, edits: Edits, ids: string[]][] = [
  ['nothing', {}, []],
  [
    'a field that no operation uses is removed',
    { [shop]: [[' unusedCode: String', '']] },
    ['field-removed:Listing.unusedCode'],
  ],
  [
    'a type that no operation mentions is removed with its field',
    {
      [shop]: [
        [' legacy: Legacy', ''],
        ['type Legacy { code: String }', ''],
      ],
    },
    ['field-removed:ListingPayload.legacy', 'type-removed:Legacy'],
  ],
  [
    'the last mention of a built-in scalar goes with a field that no operation uses',
    { [shop]: [[' unusedScore: Float', '']] },
    ['type-removed:Float'],
  ],
  [
    'a field is added',
    { [reviews]: [['rating: Int', 'rating: Int stars: Int']] },
    ['field-added:Listing.stars'],
  ],
  [
    'a type is added',
    {
      [reviews]: [
        ['rating: Int', 'rating: Int badge: Badge'],
        ['type Review', 'type Badge { id: ID } type Review'],
      ],
    },
    ['field-added:Listing.badge', 'type-added:Badge'],
  ],
  [
    'a field is never null any more',
    { [reviews]: [['rating: Int', 'rating: Int!']] },
    ['field-type-narrowed:Listing.rating', `response-never-null:${getListing} 200 rating`],
  ],
  [
    'an enum value is added',
    { [shop]: [['DRAFT PUBLISHED CLOSED', 'DRAFT PUBLISHED CLOSED SOLD']] },
    [
      'enum-value-added:ListingState.SOLD',
      'request-enum-widened:schemas/ListingState "sold"',
      'response-enum-widened:schemas/ListingState "sold"',
    ],
  ],
  [
    'a value is added to an enum that is only taken',
    { [shop]: [['NEWEST CHEAPEST', 'NEWEST CHEAPEST NEAREST']] },
    ['enum-value-added:Sort.NEAREST'],
  ],
  [
    'a member joins a union',
    { [shop]: [['Listing | Category', 'Listing | Category | Price']] },
    ['union-member-added:Hit.Price'],
  ],
  [
    'a new type stands behind an interface',
    { [shop]: [['union Hit', 'type Brand implements Node @authenticated { id: ID! } union Hit']] },
    ['type-added:Brand', 'possible-type-added:Node.Brand'],
  ],
  [
    'an optional argument is added',
    { [shop]: [['categories: [', 'categories(market: String): [']] },
    ['optional-argument-added:Query.categories(market:)'],
  ],
  [
    'an input has a further member that may be left out',
    { [shop]: [['tags: [String!]', 'tags: [String!] note: String']] },
    [
      'optional-input-field-added:CreateListingInput.note',
      'request-property-added:POST /api/v1/listings body note',
    ],
  ],
  [
    'a member of an input may be left out',
    { [shop]: [['CreateListingInput { title: String!', 'CreateListingInput { title: String']] },
    [
      'input-type-relaxed:CreateListingInput.title',
      'request-property-became-optional:POST /api/v1/listings body title',
      'request-null-accepted:POST /api/v1/listings body title',
    ],
  ],
  [
    'an argument may be null',
    { [shop]: [['text: String!, filter', 'text: String, filter']] },
    ['input-type-relaxed:Query.hits(text:)'],
  ],
  [
    'a default changes',
    {
      [shop]: [
        ['first: Int = 20', 'first: Int = 50'],
        ['sort: Sort = NEWEST', 'sort: Sort = CHEAPEST'],
      ],
    },
    ['argument-default-changed:Query.listings(first:)', 'input-field-default-changed:HitFilter.sort'],
  ],
  [
    'a field is deprecated',
    { [shop]: [['unusedCode: String', 'unusedCode: String @deprecated(reason: "nobody")']] },
    ['deprecation-added:Listing.unusedCode'],
  ],
  [
    'a guarded field is opened to anybody',
    { [shop]: [['node(id: ID!): Node @authenticated', 'node(id: ID!): Node @public']] },
    ['guard-looser:Query.node'],
  ],
  [
    'a permission is no longer needed',
    { [shop]: [['@permission(name: "seo:reports")', '@authenticated']] },
    ['guard-looser:Query.hits'],
  ],
  [
    'owners are let in besides the holders of a permission',
    {
      [shop]: [
        ['@permission(name: "seo:reports")', '@owner(type: "Listing", id: "text", or: "seo:reports")'],
      ],
    },
    ['guard-looser:Query.hits'],
  ],
  [
    'a lower dealer role suffices',
    { [shop]: [['atLeast: MANAGER', 'atLeast: AGENT']] },
    ['guard-looser:Mutation.updateListing'],
  ],
  [
    'every API client is let in',
    { [shop]: [['@clientScope(name: "listings:read")', '@clientScope(name: "*")']] },
    ['guard-looser:Query.listing'],
  ],
  [
    'a limit is raised',
    { [shop]: [['arrays: 250', 'arrays: 500']] },
    ['limit-changed:Mutation.createListing arrays'],
  ],
  [
    'another rate budget is charged',
    { [shop]: [['@rateClass(name: READ)', '@rateClass(name: PUBLIC_READ)']] },
    ['rate-class-changed:Query.listing'],
  ],
  [
    'a route is added',
    {
      'rest-facade/identity/listing/node.graphql':
        'query node($id: ID!) @route(method: GET, path: "/api/v1/nodes/{id}", result: "node") { node(id: $id) { id } }',
    },
    ['route-added:GET /api/v1/nodes/{id}'],
  ],
  [
    'a route answers with a further member',
    { [closeListing]: [['id state', 'id state title']] },
    ['response-property-added:POST /api/v1/listings/{id}/close 200 title'],
  ],
  ['a parameter in a path has another name', { [listing]: [['listingId', 'id']] }, []],
  [
    'a fragment has another name',
    {
      [closeListing]: [
        ['{ id state }', '{ ...closed }'],
        ['\n}', '\n}\nfragment closed on Listing { id state }'],
      ],
    },
    [],
  ],
  [
    'a registered operation is added',
    { 'schema/operations/menu.graphql': 'query menu { categories { id } }' },
    [],
  ],
  [
    'a registered operation is retired',
    { [dashboard]: null },
    ['operation-removed:schema/operations/dashboard.graphql dashboard'],
  ],
];

test.each(harmless)('let through: %s', (_, edits, ids) => {
  expect(idsOf(edits, 'breaking')).toEqual([]);
  expect(idsOf(edits, 'dangerous', 'safe')).toEqual(expect.arrayContaining(ids));
});

test('everything that is wrong with a working tree is in one report', () => {
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

test('the gravest changes come first, each once', () => {
  const { changes } = checkShop({
    [shop]: [
      [' subtitle: String state: ListingState! price', ' state: ListingState! price'],
      ['DRAFT PUBLISHED CLOSED', 'DRAFT PUBLISHED CLOSED SOLD'],
    ],
    [reviews]: [['rating: Int', 'rating: Int stars: Int']],
    [listing]: [['title subtitle', 'title']],
  });
  const rank = { breaking: 0, dangerous: 1, safe: 2 };
  const ranks = changes.map(({ severity }) => rank[severity]);
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  expect(new Set(ranks)).toEqual(new Set([0, 1, 2]));
  expect(new Set(changes.map(({ id }) => id)).size).toBe(changes.length);
});

test('an operation of the base that cannot be parsed counts as using every field', () => {
  const base = shopBase();
  const unreadable = { file: 'schema/operations/old.graphql', text: 'query {' };
  const { changes } = checkContract(
    { ...base, documents: [...base.documents, unreadable] },
    shopSource({ [shop]: [[' unusedCode: String', '']] }),
  );
  expect(changes).toMatchObject([{ id: 'field-removed:Listing.unusedCode', severity: 'breaking' }]);
});

test('what the base does not have is not compared', () => {
  const nothing = { supergraph: null, api: null, openApi: null, documents: [] };
  expect(checkContract(nothing, shopSource()).changes).toEqual([]);
  const broken = checkContract(nothing, shopSource({ [dashboard]: [['attributes', 'nothing']] }));
  expect(broken.changes.map(({ id }) => id)).toEqual([`document-invalid:${dashboard}`]);
});

test.each([['api'], ['supergraph'], ['openApi']] as const)(
  'a base whose %s is unreadable is refused with the name of its file',
  (file) => {
    expect(() => checkContract({ ...shopBase(), [file]: 'type {' }, shopSource())).toThrow(
      /^schema\/\S+ of the base cannot be read .*name another one with --base <ref>\.$/,
    );
  },
);
