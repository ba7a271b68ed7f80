import { isDeepStrictEqual } from 'node:util';
import type { Call } from './BothStyles.ts';
import type { Finding, Journey, Pair } from './Journey.ts';

/** Analysis of a draft and of a saved listing, the catalogue of checks, refresh. */
export async function analyses({ same, paired }: Journey, token: string, ids: Pair): Promise<void> {
  const draft = {
    content:
      '<h2>Volvo 145</h2><p>The Volvo 145 estate is a sound car. It has complete papers.</p><img src="/a.jpg" alt="Volvo 145">',
    seoTitle: 'Volvo 145 estate of 1972',
    metaDescription: 'A sound Volvo 145 estate with complete papers.',
    slug: 'volvo-145',
    keyphrase: 'volvo 145',
    locale: 'en',
  };
  const saved = (operation: string) => (id: string) => ({
    operation,
    body: { object: { type: 'listing', id } },
    token,
  });
  await same('analysis of a draft', { operation: 'seoAnalyze', body: draft, token });
  await same('analysis of a saved listing', saved('seoAnalyze')(ids[0]));
  await same('catalogue of checks', { operation: 'seoChecks', query: 'profile=product', token });
  await paired('refresh', ids, saved('seoRefresh'));
}

/** Languages, relations, translations with their statuses. */
export async function translations({ same, paired }: Journey, token: string, ids: Pair): Promise<void> {
  const [first, second] = ids;
  await same('active languages', { operation: 'languages' });
  await same('all languages', { operation: 'languages', query: 'scope=all', token });
  await same('all languages without identity', { operation: 'languages', query: 'scope=all' });
  const create = (id: string): Call => ({
    operation: 'createTranslation',
    body: {
      source: { type: 'listing', id },
      language: 'de',
      status: 'draft',
      fields: { title: 'Volvo 145 Kombi', description: 'Ein gesunder Kombi.' },
    },
    token,
  });
  const created = await paired('create a translation', ids, create);
  await paired('create a translation that exists', ids, create);
  await paired('replace a status', created, ({ id }) => ({
    operation: 'replaceTranslationState',
    query: `id=${id}`,
    body: { status: 'needs_review', note: 'please read' },
    token,
  }));
  const change =
    (status: string) =>
    ({ id }: { id: string }): Call => ({ operation: 'changeTranslationStatus', body: { id, status }, token });
  await paired('change a status', created, change('published'));
  await paired('change to a status that may not follow', created, change('needs_review'));
  const resolve = (query: string): Call => ({
    operation: 'resolveTranslation',
    query: `objectType=listing&objectId=${first}&${query}`,
    token,
  });
  await same('resolve a translation', resolve('language=de-AT&include=fields'));
  await same('resolve many translations', resolve(`objectId=${second}&language=de`));
  const group: Call = {
    operation: 'relationGroup',
    query: `objectType=listing&objectId=${first}`,
    token,
  };
  await same('read a relation', group);
  await paired('unlink', created, ({ id }) => ({
    operation: 'unlinkRelation',
    query: `objectType=listing&objectId=${id}`,
    token,
  }));
  const related: [Pair, Pair] = [
    [created[0].id, first],
    [created[1].id, second],
  ];
  await paired('link', related, ([id, source]) => ({
    operation: 'linkRelation',
    body: { object: { type: 'listing', id, language: 'de' }, relatedTo: { type: 'listing', id: source } },
    token,
  }));
  await same('read the relation again', group);
}

/** One query over the three subgraphs returns the same data as the three REST interfaces. */
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
