import { type Edits, idsOf } from './shopFixture.ts';

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
const getListing = 'GET /api/v1/listings/{listingId}';

/** What is planted, how, and everything that is breaking about it. */
const breaking: [title: string, edits: Edits, ids: string[]][] = [
  [
    'a field that a route answers with is removed, with the route',
    {
      [shop]: [[' subtitle: String state: ListingState! price', ' state: ListingState! price']],
      [listing]: [['title subtitle', 'title']],
    },
    ['field-removed:Listing.subtitle', 'response-property-removed:schemas/ListingInListing subtitle'],
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
    ['field-type-changed:Listing.createdAt', 'response-became-nullable:schemas/ListingInListing createdAt'],
  ],
  [
    'the items of a list become nullable',
    { [reviews]: [['reviews: [Review!]!', 'reviews: [Review]!']] },
    ['field-type-changed:Listing.reviews', 'response-became-nullable:schemas/ListingInListing reviews[]'],
  ],
  [
    'a field has another scalar',
    { [shop]: [['version: Int!', 'version: String!']] },
    [
      'field-type-changed:Listing.version',
      'response-type-changed:schemas/Listing version',
      'response-type-changed:schemas/ListingInListing version',
    ],
  ],
  [
    'a field has another format',
    { [shop]: [['url: URL', 'url: String']] },
    ['field-type-changed:Listing.url', 'response-format-changed:schemas/ListingInListing url'],
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
    'a guarded root field is opened to anybody',
    { [shop]: [['node(id: ID!): Node @authenticated', 'node(id: ID!): Node @public']] },
    ['guard-opened:Query.node'],
  ],
  [
    'a nested field is opened to anybody',
    { [shop]: [['@permission(name: "listings:moderate")', '@public']] },
    ['guard-opened:Listing.internalNote'],
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

test('at least 30 changes of a whole contract are refused', () => {
  expect(breaking.length).toBeGreaterThanOrEqual(30);
});
