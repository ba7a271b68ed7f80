import { isDeepStrictEqual } from 'node:util';
import type { Call } from './BothStyles.ts';
import type { Finding, Journey, Pair } from './Journey.ts';

/** Analysis of a draft and of a saved listing, the catalogue of checks, refresh. */
export async function analyses(
  { same, paired }: Journey,
  token: string,
  [first, second]: Pair,
): Promise<void> {
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
export async function translations(
  { same, paired }: Journey,
  token: string,
  [first, second]: Pair,
): Promise<void> {
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

/** One query across the three subgraphs says what the three interfaces say one by one. */
export async function join(
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
