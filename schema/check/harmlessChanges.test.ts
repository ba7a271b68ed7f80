import { type Edits, idsOf } from './shopFixture.ts';

const shop = 'subgraphs/shop';
const reviews = 'subgraphs/reviews';
const listing = 'rest-facade/identity/listing/listing.graphql';
const closeListing = 'rest-facade/identity/listing/closeListing.graphql';
const dashboard = 'schema/operations/dashboard.graphql';

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
    ['field-type-narrowed:Listing.rating', 'response-never-null:schemas/ListingInListing rating'],
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
    'a nested field has no guard but that of its type',
    { [shop]: [[' @permission(name: "listings:moderate")', '']] },
    ['guard-looser:Listing.internalNote'],
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
    ['response-property-added:schemas/ListingInCloseListing title'],
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
    'an idempotency key is honoured from now on',
    { [shop]: [['@authenticated @stepUp(', '@authenticated @idempotent @stepUp(']] },
    ['idempotency-added:Mutation.closeListing'],
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

test('at least 20 changes of a whole contract are let through', () => {
  expect(harmless.length).toBeGreaterThanOrEqual(20);
});
