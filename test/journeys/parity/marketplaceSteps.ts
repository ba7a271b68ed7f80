import type { Call } from './BothStyles.ts';
import type { Journey, Pair, Tokens } from './Journey.ts';

/** Register, token, refresh, revoke, key set, `GET` and `PATCH /me`. */
export async function accounts({ styles, same, paired, password, unique }: Journey): Promise<Tokens> {
  const emails: Pair = [`rest-${unique}@parity.example`, `graphql-${unique}@parity.example`];
  const own = 'a-long-enough-password-7';
  const register = (email: string): Call => ({
    operation: 'register',
    body: { email, password: own, displayName: 'Pat' },
  });
  await paired('register', emails, register);
  await paired('register an address that is taken', emails, register);

  const signIn =
    (secret: string) =>
    (username: string): Call => ({
      operation: 'issueToken',
      body: { grant_type: 'password', username, password: secret },
    });
  const issued = await paired('token by password', emails, signIn(own));
  await paired('token by a wrong password', emails, signIn('wrong-password-1'));
  const refreshed = await paired('token by refresh', issued, ({ refresh_token }) => ({
    operation: 'issueToken',
    body: { grant_type: 'refresh_token', refresh_token },
  }));
  await same('key set', { operation: 'signingKeys' });
  const token: string = refreshed[0].access_token;
  await same('me', { operation: 'me', token });
  const change = (body: object) => () => ({ operation: 'updateMe', body, token });
  await paired('change me', emails, change({ displayName: 'Patricia', locale: 'de', givenName: null }));
  await paired('change me to an empty name', emails, change({ displayName: '' }));
  await paired('revoke', refreshed, ({ refresh_token }) => ({
    operation: 'revokeToken',
    body: { token: refresh_token },
  }));
  await same('me with the token of an ended session', { operation: 'me', token });
  const tokenOf = async (email: string): Promise<string> =>
    (await styles.rest(signIn(password)(email))).body.access_token;
  return {
    dealer: await tokenOf('dealer@demo.example'),
    editor: await tokenOf('editor@demo.example'),
    buyer: await tokenOf('buyer@demo.example'),
  };
}

const listing = (listingId: string, token: string): Call => ({
  operation: 'listing',
  path: { listingId },
  token,
});

/** Create, read, update, publish a listing; the public catalogue. */
export async function offers({ styles, same, paired, unique }: Journey, token: string): Promise<Pair> {
  const { body: own } = await styles.rest({ operation: 'listings', query: 'limit=1', token });
  const [{ owner, categoryId, attributes, location, price }] = own.data;
  const created = await paired('create a listing', ['REST', 'GQL'], (style) => ({
    operation: 'createListing',
    body: {
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
    },
    token,
  }));
  const ids: Pair = [created[0].id, created[1].id];
  await same('read a listing', listing(ids[0], token));
  await same('own listings', { operation: 'listings', query: 'limit=5', token });
  await paired('change a listing', ids, (listingId) => ({
    operation: 'updateListing',
    path: { listingId },
    body: { title: 'Volvo 145 estate of 1973' },
    token,
  }));
  const publish = (listingId: string) => ({ operation: 'publishListing', path: { listingId }, token });
  await paired('publish a listing', ids, publish);
  await paired('publish a listing that is public', ids, publish);
  await same('public page of a listing', { operation: 'catalogListing', path: { listingId: ids[0] } });
  await same('catalogue search', { operation: 'catalogListings', query: 'q=volvo&limit=5' });
  await same('catalogue by price', { operation: 'catalogListings', query: 'sort=price&limit=7&count=true' });
  return ids;
}

/** Refusals that must have equal texts in both styles. */
export async function refusals(
  { same, paired }: Journey,
  { dealer, buyer }: Tokens,
  ids: Pair,
): Promise<void> {
  await same('me without a token', { operation: 'me' });
  await same('me with a forged token', { operation: 'me', token: `${dealer.slice(0, -8)}AAAAAAAA` });
  await same("another owner's listing", listing(ids[0], buyer));
  await same('a listing that does not exist', listing('lst_00000000000000000000000000', dealer));
  await same('an id of another kind', listing('usr_00000000000000000000000000', dealer));
  const change = (token: string, headers: Record<string, string>) => (listingId: string) => ({
    operation: 'updateListing',
    path: { listingId },
    body: { title: 'Volvo 145 again' },
    headers,
    token,
  });
  await paired("change another owner's listing", ids, change(buyer, {}));
  await paired('change a listing at an old version', ids, change(dealer, { 'if-match': '"1"' }));
}
