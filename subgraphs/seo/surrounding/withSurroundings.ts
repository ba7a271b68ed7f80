import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { type ScopedCollection, scoped } from '../../platform/installation/scoped.ts';
import type { AnalysisInput, Surroundings } from '../engine/contract.ts';
import { describePage, type PageDescription } from '../engine/describePage.ts';
import { bandsOf, distanceOf } from '../engine/text/simHash.ts';
import { toKeyphraseKey, toTextKey } from '../engine/toKey.ts';
import type { StoredSeoRecord } from '../record/model.ts';
import { type RecordKey, recordsOf } from '../record/records.ts';
import { type IndexedPage, IndexedPageModel } from './model.ts';

/** More equal ones say nothing new. */
const mostEqual = 20;
const mostSimilar = 100;
/** Beyond one, the keyphrase is used too often. */
const mostUses = 2;

/**
 * The page with what the installation knows of its others: as many commands for any page, whatever is found. Only what
 * readers reach is compared with, and only how much of it there is leaves this function, so nobody learns of a draft.
 *
 * @param page as it is analysed; its fields, not the saved ones, are compared
 */
export async function withSurroundings(
  context: RequestContext,
  { object, locale }: RecordKey,
  page: AnalysisInput,
): Promise<AnalysisInput> {
  const search: Search = {
    records: recordsOf(context),
    index: scoped(IndexedPageModel, context.installationId),
    objectId: object.id,
    locale,
  };
  const described = describePage(page.content ?? '', page.permalink ?? null);
  const [keyphraseUses, same, nearestCopy, linked] = await Promise.all([
    countKeyphraseUses(search, page),
    countSame(search, page),
    findNearest(search, described),
    findLinked(search, described),
  ]);
  return { ...page, surroundings: { keyphraseUses, ...same, nearestCopy, ...linked, alternates: null } };
}

interface Search {
  readonly records: ScopedCollection<StoredSeoRecord>;
  readonly index: ScopedCollection<IndexedPage>;
  /** The page itself, which is not its own copy. */
  readonly objectId: string;
  readonly locale: string;
}

async function countKeyphraseUses(
  { records, objectId, locale }: Search,
  page: AnalysisInput,
): Promise<number> {
  const key = toKeyphraseKey(page.keyphrase, locale);
  if (key === null) return 0;
  return records.count({ locale, 'keys.keyphrase': key, objectId: { $ne: objectId } }, { limit: mostUses });
}

/** Pages that may show the same title or description, and then which of them do: what is stated beats what is named. */
async function countSame(
  search: Search,
  page: AnalysisInput,
): Promise<Pick<Surroundings, 'titleUses' | 'descriptionUses'>> {
  const { records, index, objectId, locale } = search;
  const titleKey = toTextKey(page.seoTitle) ?? toTextKey(page.title);
  const descriptionKey = toTextKey(page.metaDescription);
  const others = { objectId: { $ne: objectId } };
  const options = { projection: { objectId: 1 } as const, limit: mostEqual };
  const candidates = await Promise.all([
    titleKey === null ? [] : records.find({ locale, 'keys.seoTitle': titleKey, ...others }, options),
    descriptionKey === null
      ? []
      : records.find({ locale, 'keys.metaDescription': descriptionKey, ...others }, options),
    titleKey === null ? [] : index.find({ titleKey, published: true, ...others }, options),
  ]);
  const ids = [...new Set(candidates.flat().map((candidate) => candidate.objectId))];
  if (ids.length === 0) return { titleUses: 0, descriptionUses: 0 };
  const [pages, fields] = await Promise.all([
    index.find({ _id: { $in: ids } }, { projection: { published: 1, locale: 1, titleKey: 1 } }),
    records.find(
      { objectType: { $in: ['listing', 'dealer', 'page'] }, objectId: { $in: ids }, locale },
      { projection: { objectId: 1, keys: 1 } },
    ),
  ]);
  const keysOf = new Map(fields.map((record) => [record.objectId, record.keys]));
  const shown = pages.filter((other) => other.published && isInLanguage(other, locale));
  const titles = shown.map((other) => keysOf.get(other._id)?.seoTitle ?? other.titleKey);
  const descriptions = shown.map((other) => keysOf.get(other._id)?.metaDescription ?? null);
  return {
    titleUses: titleKey === null ? 0 : titles.filter((key) => key === titleKey).length,
    descriptionUses:
      descriptionKey === null ? 0 : descriptions.filter((key) => key === descriptionKey).length,
  };
}

async function findNearest(search: Search, { fingerprint }: PageDescription): Promise<number | null> {
  if (fingerprint === null) return null;
  const similar = await search.index.find(
    { bands: { $in: bandsOf(fingerprint) }, published: true, objectId: { $ne: search.objectId } },
    { projection: { fingerprint: 1, locale: 1 }, limit: mostSimilar },
  );
  const distances = similar
    .filter((other) => isInLanguage(other, search.locale))
    .map((other) => distanceOf(fingerprint, other.fingerprint ?? ''));
  return distances.length === 0 ? null : Math.min(...distances);
}

async function findLinked(
  { index, objectId }: Search,
  { links }: PageDescription,
): Promise<Pick<Surroundings, 'publishedLinks' | 'goneLinks'>> {
  if (links.length === 0) return { publishedLinks: [], goneLinks: [] };
  const [targets, self] = await Promise.all([
    index.find({ address: { $in: links } }, { projection: { address: 1, published: 1 } }),
    index.findOne({ _id: objectId }, { projection: { goneLinks: 1 } }),
  ]);
  const published = new Set(
    targets.filter((target) => target.published).map((target) => target.address ?? ''),
  );
  const hidden = targets.map((target) => target.address ?? '').filter((address) => !published.has(address));
  const gone = new Set([...hidden, ...(self?.goneLinks ?? [])]);
  return {
    publishedLinks: links.filter((link) => published.has(link)),
    goneLinks: links.filter((link) => gone.has(link) && !published.has(link)),
  };
}

/** An object that names no language is taken for one of any. */
function isInLanguage({ locale }: Pick<IndexedPage, 'locale'>, searched: string): boolean {
  return locale === null || locale === searched;
}
