import { product } from '../../test/support/product.ts';
import { type SeededUser } from '../../test/support/seed.ts';

const world = product();
const { market } = world;
let anna: SeededUser;
let listingId: string;

beforeAll(async () => {
  anna = await market.user();
  listingId = (await anna.listing()).id;
});

const texts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e\u2066',
  '$where',
  '{"$gt":""}',
  '[object Object]',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '%00',
  "' OR 1=1 --",
  '(a+)+$',
  '^.*$',
  '\\',
  '-',
  '"',
  'x'.repeat(100_000),
  '🚗'.repeat(1000),
  'ﷺ'.repeat(2000),
];

/** Every string that a client can put into the subgraph, and what takes it. */
const places: [string, string, (text: string) => object][] = [
  ['listing', 'query ($v: ID!) { listing(listingId: $v) { id } }', (v) => ({ v })],
  ['own words', 'query ($v: String) { listings(q: $v) { nodes { id } } }', (v) => ({ v })],
  ['own number', 'query ($v: String) { listings(stockNumber: $v) { nodes { id } } }', (v) => ({ v })],
  ['own dealer', 'query ($v: ID) { listings(dealerId: $v) { nodes { id } } }', (v) => ({ v })],
  ['own category', 'query ($v: ID) { listings(categoryId: $v) { nodes { id } } }', (v) => ({ v })],
  ['own order', 'query ($v: String) { listings(sort: $v) { nodes { id } } }', (v) => ({ v })],
  ['own cursor', 'query ($v: String) { listings(after: $v) { nodes { id } } }', (v) => ({ v })],
  ['words', 'query ($v: String) { catalogListings(q: $v) { nodes { id } } }', (v) => ({ v })],
  [
    'language',
    'query ($v: LanguageTag) { catalogListings(q: "a", locale: $v) { nodes { id } } }',
    (v) => ({ v }),
  ],
  ['category', 'query ($v: ID) { catalogListings(categoryId: $v) { nodes { id } } }', (v) => ({ v })],
  ['dealer', 'query ($v: ID) { catalogListings(dealerId: $v) { nodes { id } } }', (v) => ({ v })],
  [
    'currency',
    'query ($v: String) { catalogListings(currency: $v, priceMin: 1) { nodes { id } } }',
    (v) => ({ v }),
  ],
  ['order', 'query ($v: String) { catalogListings(sort: $v) { nodes { id } } }', (v) => ({ v })],
  ['cursor', 'query ($v: String) { catalogListings(after: $v) { nodes { id } } }', (v) => ({ v })],
  [
    'attribute',
    'query ($a: [CatalogAttributeInput!]) { catalogListings(attributes: $a) { nodes { id } } }',
    (v) => ({ a: [{ name: v, values: ['x'] }] }),
  ],
  [
    'attribute value',
    'query ($a: [CatalogAttributeInput!]) { catalogListings(attributes: $a) { nodes { id } } }',
    (v) => ({ a: [{ name: 'make', values: [v], all: [v] }] }),
  ],
  ['public listing', 'query ($v: ID!) { catalogListing(listingId: $v) { id } }', (v) => ({ v })],
  [
    'reference',
    'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Listing { title } ... on User { displayName } } }',
    (v) => ({
      r: [
        { __typename: 'Listing', id: v },
        { __typename: 'User', id: v },
        { __typename: 'Dealer', id: v },
      ],
    }),
  ],
  ...['email', 'password', 'displayName', 'givenName', 'timeZone', 'locale'].map(
    (member): [string, string, (text: string) => object] => [
      `register ${member}`,
      'mutation ($input: RegisterInput!) { register(input: $input) { created } }',
      (v) => ({ input: { email: 'x', password: 'plum-tractor-9-violin', displayName: 'N', [member]: v } }),
    ],
  ),
  ...['grantType', 'username', 'password', 'refreshToken', 'clientId'].map(
    (member): [string, string, (text: string) => object] => [
      `token ${member}`,
      'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { tokens { scope } } }',
      (v) => ({
        input: {
          grantType: member === 'refreshToken' ? 'refresh_token' : 'password',
          username: `${Math.random()}@example.test`,
          password: 'x',
          [member]: v,
        },
      }),
    ],
  ),
  [
    'revoke',
    'mutation ($input: RevokeTokenInput!) { revokeToken(input: $input) { revoked } }',
    (v) => ({ input: { token: v, tokenTypeHint: v } }),
  ],
  [
    'reset',
    'mutation ($input: ConfirmPasswordResetInput!) { confirmPasswordReset(input: $input) { reset } }',
    (v) => ({ input: { token: v, password: v } }),
  ],
  [
    'confirmation',
    'mutation ($input: ConfirmEmailVerificationInput!) { confirmEmailVerification(input: $input) { purpose } }',
    (v) => ({ input: { token: v } }),
  ],
  [
    'address to reset',
    'mutation ($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { accepted } }',
    (v) => ({ input: { email: v } }),
  ],
  [
    'new address',
    'mutation ($input: ChangeEmailInput!) { changeEmail(input: $input) { change { email } } }',
    (v) => ({ input: { email: v } }),
  ],
  ...['displayName', 'familyName', 'phone', 'timeZone'].map(
    (member): [string, string, (text: string) => object] => [
      `profile ${member}`,
      'mutation ($input: UpdateMeInput!) { updateMe(input: $input) { me { version } } }',
      (v) => ({ input: { [member]: v } }),
    ],
  ),
  ...[
    'title',
    'description',
    'categoryId',
    'stockNumber',
    'dealerId',
    'dealerLocationId',
    'idempotencyKey',
  ].map((member): [string, string, (text: string) => object] => [
    `listing ${member}`,
    'mutation ($input: CreateListingInput!) { createListing(input: $input) { listing { id } } }',
    (v) => ({ input: { [member]: v } }),
  ]),
  [
    'listing attributes',
    'mutation ($input: UpdateListingInput!) { updateListing(input: $input) { listing { attributes } } }',
    (v) => ({ input: { listingId, attributes: { make: v, variant: v, [v]: v, features: [v] } } }),
  ],
  [
    'listing place',
    'mutation ($input: UpdateListingInput!) { updateListing(input: $input) { listing { id } } }',
    (v) => ({
      input: {
        listingId,
        location: { city: v, postalCode: v, country: v },
        price: { amount: 1, currency: v },
      },
    }),
  ],
];

test.each(places)('no text makes an internal error: %s', async (_, source, variables) => {
  for (const text of texts) {
    const start = performance.now();
    const { errors } = await world.stack.execute(source, variables(text) as Record<string, unknown>, {
      as: anna,
      installation: market.installation,
    });
    const spent = performance.now() - start;
    for (const error of errors ?? []) {
      const problem = error.extensions.problem as { status: number } | undefined;
      const shown = [JSON.stringify(text).slice(0, 60), error.message];
      // What graphql-js refuses by type has no problem of its own.
      if (problem) expect([...shown, problem.status < 500]).toEqual([...shown, true]);
      else
        expect([...shown, error.extensions.code ?? error.message]).toEqual([
          ...shown,
          expect.stringMatching(/BAD_USER_INPUT|got invalid value/),
        ]);
    }
    expect(spent).toBeLessThan(5000);
  }
});
