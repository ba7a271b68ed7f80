import { isDeepStrictEqual } from 'node:util';
import { type Answer, BothStyles, type Call } from './BothStyles.ts';

/** One comparison of the two styles. */
export interface Finding {
  what: string;
  /** Null when the two answers agree member by member. */
  difference: string | null;
}

/** Members that differ between two writes of the same thing, or that are sealed anew each time. */
const volatile: ReadonlySet<string> = new Set([
  'id',
  'userId',
  'email',
  'version',
  'createdAt',
  'updatedAt',
  'publishedAt',
  'expiresAt',
  'slug',
  'url',
  'stockNumber',
  'access_token',
  'refresh_token',
  'session_id',
  'accessToken',
  'refreshToken',
  'sessionId',
  'groupId',
  'translationId',
  'objectId',
  'requestId',
  'instance',
  'type',
  'revision',
  'publishedRevision',
  'at',
  'contentVersion',
  'current',
  'previous',
]);

/** Runs every operation of the slices in both styles against a running product with demonstration data. */
export async function compareStyles(url: string, password: string): Promise<Finding[]> {
  const styles = new BothStyles(url);
  const findings: Finding[] = [];
  const note = (what: string, rest: Answer, graphql: Answer, paired: boolean): void => {
    findings.push({ what, difference: differenceOf(rest, graphql, paired) });
  };
  /** The same read in both styles: every member is equal. */
  const same = async (what: string, call: Call): Promise<any> => {
    const rest = await styles.rest(call);
    note(what, rest, await styles.graphql(call), false);
    return rest.body;
  };
  /** The same write in both styles, on two things: equal but for what names the thing. */
  const paired = async (what: string, first: Call, second: Call): Promise<[any, any]> => {
    const rest = await styles.rest(first);
    const graphql = await styles.graphql(second);
    note(what, rest, graphql, true);
    return [rest.body, graphql.body];
  };
  const journey: Journey = { styles, same, paired, password, unique: Date.now().toString(36) };
  const tokens = await accounts(journey);
  const listings = await offers(journey, tokens.dealer);
  await analyses(journey, tokens.dealer, listings);
  await translations(journey, tokens.editor, listings);
  await refusals(journey, tokens, listings);
  await join(journey, tokens.dealer, listings, (finding) => findings.push(finding));
  return findings;
}

interface Journey {
  styles: BothStyles;
  same: (what: string, call: Call) => Promise<any>;
  paired: (what: string, first: Call, second: Call) => Promise<[any, any]>;
  password: string;
  unique: string;
}

interface Tokens {
  dealer: string;
  editor: string;
  buyer: string;
}

type Pair = [string, string];

/** Register, token, refresh, revoke, key set, `GET` and `PATCH /me`. */
async function accounts({ styles, same, paired, password, unique }: Journey): Promise<Tokens> {
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
async function offers({ styles, same, paired, unique }: Journey, token: string): Promise<Pair> {
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

/** Analysis of a draft and of a saved listing, the catalogue of checks, refresh. */
async function analyses({ same, paired }: Journey, token: string, [first, second]: Pair): Promise<void> {
  const draft = {
    content:
      '<h2>Volvo 145</h2><p>The Volvo 145 estate is a sound car. It has complete papers.</p><img src="/a.jpg" alt="Volvo 145">',
    seoTitle: 'Volvo 145 estate of 1972',
    metaDescription: 'A sound Volvo 145 estate with complete papers.',
    slug: 'volvo-145',
    keyphrase: 'volvo 145',
    locale: 'en',
  };
  await same('analysis of a draft', {
    operation: 'seoAnalyze',
    body: draft,
    variables: { input: draft },
    token,
  });
  const saved = (id: string): [object, object] => [
    { object: { type: 'listing', id } },
    { object: { type: 'LISTING', id } },
  ];
  const [rest, graphql] = saved(first);
  await same('analysis of a saved listing', {
    operation: 'seoAnalyze',
    body: rest,
    variables: { input: graphql },
    token,
  });
  await same('catalogue of checks', {
    operation: 'seoChecks',
    query: 'profile=product',
    variables: { profile: 'PRODUCT' },
    token,
  });
  await paired(
    'refresh',
    { operation: 'seoRefresh', body: rest, token },
    { operation: 'seoRefresh', variables: { input: saved(second)[1] }, token },
  );
}

/** Languages, relations, translations with their statuses. */
async function translations({ same, paired }: Journey, token: string, [first, second]: Pair): Promise<void> {
  await same('active languages', { operation: 'languages' });
  await same('all languages', {
    operation: 'languages',
    query: 'scope=all',
    variables: { scope: 'ALL' },
    token,
  });
  await same('all languages without identity', {
    operation: 'languages',
    query: 'scope=all',
    variables: { scope: 'ALL' },
  });
  const create = (id: string, type: string, status: string) => ({
    source: { type, id },
    language: 'de',
    status,
    fields: { title: 'Volvo 145 Kombi', description: 'Ein gesunder Kombi.' },
  });
  const [rest, graphql] = await paired(
    'create a translation',
    { operation: 'createTranslation', body: create(first, 'listing', 'draft'), token },
    { operation: 'createTranslation', variables: { input: create(second, 'LISTING', 'DRAFT') }, token },
  );
  await paired(
    'create a translation that exists',
    { operation: 'createTranslation', body: create(first, 'listing', 'draft'), token },
    { operation: 'createTranslation', variables: { input: create(second, 'LISTING', 'DRAFT') }, token },
  );
  await paired(
    'replace a status',
    {
      operation: 'replaceTranslationState',
      query: `id=${rest.id}`,
      body: { status: 'needs_review', note: 'please read' },
      token,
    },
    {
      operation: 'replaceTranslationState',
      variables: { input: { id: graphql.id, status: 'NEEDS_REVIEW', note: 'please read' } },
      token,
    },
  );
  await paired(
    'change a status',
    { operation: 'changeTranslationStatus', body: { id: rest.id, status: 'published' }, token },
    {
      operation: 'changeTranslationStatus',
      variables: { input: { id: graphql.id, status: 'PUBLISHED' } },
      token,
    },
  );
  await paired(
    'change a status the machine does not know',
    { operation: 'changeTranslationStatus', body: { id: rest.id, status: 'needs_review' }, token },
    {
      operation: 'changeTranslationStatus',
      variables: { input: { id: graphql.id, status: 'NEEDS_REVIEW' } },
      token,
    },
  );
  await same('resolve a translation', {
    operation: 'resolveTranslation',
    query: `objectType=listing&objectId=${first}&language=de-AT&include=fields`,
    variables: { objectType: 'LISTING', objectId: [first], language: 'de-AT', include: ['FIELDS'] },
    token,
  });
  await same('resolve many translations', {
    operation: 'resolveTranslation',
    query: `objectType=listing&objectId=${first}&objectId=${second}&language=de`,
    variables: { objectType: 'LISTING', objectId: [first, second], language: 'de' },
    token,
  });
  const group = (id: string): Call => ({
    operation: 'relationGroup',
    query: `objectType=listing&objectId=${id}`,
    variables: { objectType: 'LISTING', objectId: id },
    token,
  });
  await same('read a relation', group(first));
  await paired(
    'unlink',
    { operation: 'unlinkRelation', query: `objectType=listing&objectId=${rest.id}`, token },
    {
      operation: 'unlinkRelation',
      variables: { input: { objectType: 'LISTING', objectId: graphql.id } },
      token,
    },
  );
  const link = (id: string, relatedTo: string, type: string) => ({
    object: { type, id, language: 'de' },
    relatedTo: { type, id: relatedTo },
  });
  await paired(
    'link',
    { operation: 'linkRelation', body: link(rest.id, first, 'listing'), token },
    { operation: 'linkRelation', variables: { input: link(graphql.id, second, 'LISTING') }, token },
  );
  await same('read the relation again', group(first));
}

/** The refusals that both styles must word alike. */
async function refusals(
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

/** One query across the three subgraphs says what the three interfaces say one by one. */
async function join(
  { styles }: Journey,
  token: string,
  [first]: Pair,
  push: (finding: Finding) => void,
): Promise<void> {
  const { body } = await styles.query(
    `query join($id: ID!) { listing(listingId: $id) { title seo(locale: "en") { latestAnalysis { scores { seo { value } } } } translations { languageCode fields { title } } } }`,
    { id: first },
    token,
  );
  const listing = (await styles.rest({ operation: 'listing', path: { listingId: first }, token })).body;
  const refresh = (
    await styles.rest({ operation: 'seoRefresh', body: { object: { type: 'listing', id: first } }, token })
  ).body;
  const expected = {
    title: listing.title,
    seo: { latestAnalysis: { scores: { seo: { value: refresh.current.scores.seo.value } } } },
    translations: [{ languageCode: 'de', fields: { title: 'Volvo 145 Kombi' } }],
  };
  const joined = body.data?.listing;
  push({
    what: 'join over the three subgraphs',
    difference: isDeepStrictEqual(joined, expected)
      ? null
      : `${JSON.stringify(body)} against ${JSON.stringify(expected)}`,
  });
}

function differenceOf(rest: Answer, graphql: Answer, paired: boolean): string | null {
  const [a, b] = [rest, graphql].map(({ body }) => comparable(body, paired));
  const problem = rest.status >= 400 || graphql.status >= 400;
  if (problem && rest.status !== graphql.status)
    return `REST ${rest.status} ${JSON.stringify(rest.body)}, GraphQL ${graphql.status} ${JSON.stringify(graphql.body)}`;
  return isDeepStrictEqual(a, b) ? null : `REST ${JSON.stringify(a)}\n     GraphQL ${JSON.stringify(b)}`;
}

/** Drops what only one style has (page size, challenge), what names a request, and of paired writes what names a thing. */
function comparable(value: unknown, paired: boolean): unknown {
  if (Array.isArray(value)) return value.map((entry) => comparable(entry, paired));
  if (typeof value === 'string')
    return paired
      ? value
          .replaceAll(/\b(lst|trn|grp|usr|ses|seo|snap)_[0-9A-Z]{26}\b/g, '$1_…')
          .replaceAll(/(REST|GQL)-\w+/g, 'stock')
      : value;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    if (name === 'nextCursor') return [[name, member !== null]];
    if (['limit', 'instance', 'requestId', 'challenge', 'retryAfter'].includes(name)) return [];
    if (name === 'type' && typeof member === 'string' && member.includes('/problems/')) return [];
    if (paired && volatile.has(name)) return [];
    return [[name, comparable(member, paired)]];
  });
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}
