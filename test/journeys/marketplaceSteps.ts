import type { Call } from './BothStyles.ts';
import type { Journey, Pair, Tokens } from './Journey.ts';

/** Register, token, refresh, revoke, key set, `GET` and `PATCH /me`. */
export async function accounts({ styles, same, paired, password, unique }: Journey): Promise<Tokens> {
  const person = (name: string) => ({
    email: `${name}-${unique}@parity.example`,
    password: 'a-long-enough-password-7',
    displayName: 'Pat',
  });
  const [one, two] = [person('rest'), person('graphql')];
  await paired(
    'register',
    { operation: 'register', body: one },
    { operation: 'register', variables: { input: two } },
  );
  await paired(
    'register an address that is taken',
    { operation: 'register', body: one },
    { operation: 'register', variables: { input: two } },
  );

  const signIn = (username: string, secret: string): [Call, Call] => [
    { operation: 'issueToken', body: { grant_type: 'password', username, password: secret } },
    { operation: 'issueToken', variables: { input: { grantType: 'password', username, password: secret } } },
  ];
  const [rest, graphql] = await paired('token by password', ...signIn(one.email, one.password));
  await paired('token by a wrong password', ...signIn(one.email, 'wrong-password-1'));
  const refreshed = await paired(
    'token by refresh',
    { operation: 'issueToken', body: { grant_type: 'refresh_token', refresh_token: rest.refresh_token } },
    {
      operation: 'issueToken',
      variables: { input: { grantType: 'refresh_token', refreshToken: graphql.refresh_token } },
    },
  );
  await same('key set', { operation: 'signingKeys' });
  const token: string = refreshed[0].access_token;
  await same('me', { operation: 'me', token });
  const patch = { displayName: 'Patricia', locale: 'de', givenName: null };
  await paired(
    'change me',
    { operation: 'updateMe', body: patch, token },
    { operation: 'updateMe', variables: { input: patch }, token },
  );
  await paired(
    'change me with an unknown member',
    { operation: 'updateMe', body: { displayName: '' }, token },
    { operation: 'updateMe', variables: { input: { displayName: '' } }, token },
  );
  await paired(
    'revoke',
    { operation: 'revokeToken', body: { token: refreshed[0].refresh_token } },
    { operation: 'revokeToken', variables: { input: { token: refreshed[1].refresh_token } } },
  );
  await same('me with the token of an ended session', { operation: 'me', token });
  const tokenOf = async (email: string): Promise<string> =>
    (await styles.rest(signIn(email, password)[0])).body.access_token;
  return {
    dealer: await tokenOf('dealer@demo.example'),
    editor: await tokenOf('editor@demo.example'),
    buyer: await tokenOf('buyer@demo.example'),
  };
}

/** Create, read, update, publish a listing; the public catalogue. */
export async function offers({ styles, same, paired, unique }: Journey, token: string): Promise<Pair> {
  const { body: own } = await styles.rest({ operation: 'listings', query: 'limit=1', token });
  const [example] = own.data;
  const { owner, categoryId, attributes, location, price } = example;
  const offer = (style: string) => ({
    dealerId: owner.id,
    categoryId,
    attributes,
    price,
    stockNumber: `${style}-${unique}`,
    title: 'Volvo 145 estate of 1972',
    description: 'A sound estate with complete papers.',
    language: 'en',
    condition: 'used',
    location: { ...location, precision: 'exact' },
  });
  const upper = (input: ReturnType<typeof offer>) => ({
    ...input,
    condition: 'USED',
    location: { ...input.location, precision: 'EXACT' },
  });
  const [first, second] = await paired(
    'create a listing',
    { operation: 'createListing', body: offer('REST'), token },
    { operation: 'createListing', variables: { input: upper(offer('GQL')) }, token },
  );
  await same('read a listing', {
    operation: 'listing',
    path: { listingId: first.id },
    variables: { listingId: first.id },
    token,
  });
  await same('own listings', { operation: 'listings', query: 'limit=5', variables: { first: 5 }, token });
  const change = { title: 'Volvo 145 estate of 1973' };
  await paired(
    'change a listing',
    { operation: 'updateListing', path: { listingId: first.id }, body: change, token },
    { operation: 'updateListing', variables: { input: { listingId: second.id, ...change } }, token },
  );
  await paired(
    'publish a listing',
    { operation: 'publishListing', path: { listingId: first.id }, token },
    { operation: 'publishListing', variables: { input: { listingId: second.id } }, token },
  );
  await paired(
    'publish a listing that is public',
    { operation: 'publishListing', path: { listingId: first.id }, token },
    { operation: 'publishListing', variables: { input: { listingId: second.id } }, token },
  );
  await same('public page of a listing', {
    operation: 'catalogListing',
    path: { listingId: first.id },
    variables: { listingId: first.id },
  });
  await same('catalogue search', {
    operation: 'catalogListings',
    query: 'q=volvo&limit=5',
    variables: { q: 'volvo', first: 5 },
  });
  await same('catalogue by price', {
    operation: 'catalogListings',
    query: 'sort=price&limit=7&count=true',
    variables: { sort: 'price', first: 7, count: true },
  });
  return [first.id, second.id];
}

/** The refusals that both styles must word alike. */
export async function refusals(
  { same, paired }: Journey,
  { dealer, buyer }: Tokens,
  [first, second]: Pair,
): Promise<void> {
  await same('me without a token', { operation: 'me' });
  await same('me with a forged token', { operation: 'me', token: `${dealer.slice(0, -8)}AAAAAAAA` });
  const listing = (id: string, token: string): Call => ({
    operation: 'listing',
    path: { listingId: id },
    variables: { listingId: id },
    token,
  });
  await same("another owner's listing", listing(first, buyer));
  await same('a listing that does not exist', listing('lst_00000000000000000000000000', dealer));
  await same('an id of another kind', listing('usr_00000000000000000000000000', dealer));
  await paired(
    "change another owner's listing",
    {
      operation: 'updateListing',
      path: { listingId: first },
      body: { title: 'Mine now, is it' },
      token: buyer,
    },
    {
      operation: 'updateListing',
      variables: { input: { listingId: second, title: 'Mine now, is it' } },
      token: buyer,
    },
  );
  await paired(
    'change a listing at an old version',
    {
      operation: 'updateListing',
      path: { listingId: first },
      body: { title: 'Volvo 145 again' },
      headers: { 'if-match': '"1"' },
      token: dealer,
    },
    {
      operation: 'updateListing',
      variables: { input: { listingId: second, title: 'Volvo 145 again', expectedVersion: 1 } },
      token: dealer,
    },
  );
}
