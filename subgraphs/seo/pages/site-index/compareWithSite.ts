import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { AnalysisInput, Surroundings } from '../../engine/contract.ts';
import { describePage, type PageDescription } from '../../engine/describePage.ts';
import { bandsOf, distanceOf } from '../../engine/text/simHash.ts';
import { toKeyphraseKey, toTextKey } from '../../engine/toKey.ts';
import type { ObjectRef } from '../object/ObjectRef.ts';
import type { RecordKey } from '../record/records.ts';
import { findAlternates } from './findAlternates.ts';
import type { SeoPage } from './model.ts';
import { type PageSearch, pageSearchOf } from './pageSearch.ts';

/** Number of uses above which a keyphrase is used too often. */
const mostUses = 2;

/**
 * Returns the page with facts about other pages of the installation, in a constant number of commands, also for several
 * pages. Only public pages are compared, and only counts are returned, so drafts are not revealed.
 *
 * @param place `holder`: the object whose page shows the text, if it is not the requested object
 * @param page the analyzed page, whose own fields are compared instead of the saved ones
 */
export async function compareWithSite(
  context: RequestContext,
  { object, holder = object, locale }: RecordKey & { readonly holder?: ObjectRef },
  page: AnalysisInput,
): Promise<AnalysisInput> {
  const search: Search = {
    pages: pageSearchOf(context),
    holderId: holder.id,
    ownIds: new Set([object.id, holder.id]),
    locale,
  };
  const described = describePage(page.content ?? '', page.permalink ?? null);
  const [keyphraseUses, same, nearestCopy, linked, alternates] = await Promise.all([
    countKeyphraseUses(search, page),
    countSame(search, page),
    findNearest(search, described),
    findLinked(search, described),
    findAlternates(context, { object: holder, locale }, page),
  ]);
  return { ...page, surroundings: { keyphraseUses, ...same, nearestCopy, ...linked, alternates } };
}

interface Search {
  readonly pages: PageSearch;
  /** Object whose page it is. */
  readonly holderId: string;
  /** Objects that show this text, or receive it by events, and therefore are not copies. */
  readonly ownIds: ReadonlySet<string>;
  readonly locale: string;
}

async function countKeyphraseUses({ pages, ownIds, locale }: Search, page: AnalysisInput): Promise<number> {
  const key = toKeyphraseKey(page.keyphrase, locale);
  if (key === null) return 0;
  const using = await pages.byField.keyphrase.load({ locale, key });
  return Math.min(using.filter((other) => !ownIds.has(other.objectId)).length, mostUses);
}

/**
 * Counts other pages with the same title or description. Of the candidates, the SEO field takes precedence over the
 * title.
 */
async function countSame(
  { pages, ownIds, locale }: Search,
  page: AnalysisInput,
): Promise<Pick<Surroundings, 'titleUses' | 'descriptionUses'>> {
  const titleKey = toTextKey(page.seoTitle) ?? toTextKey(page.title);
  const descriptionKey = toTextKey(page.metaDescription);
  const candidates = await Promise.all([
    titleKey === null ? [] : pages.byField.seoTitle.load({ locale, key: titleKey }),
    descriptionKey === null ? [] : pages.byField.metaDescription.load({ locale, key: descriptionKey }),
    titleKey === null ? [] : pages.byTitle.load(titleKey),
  ]);
  const ids = new Set(candidates.flat().map((candidate) => candidate.objectId));
  for (const own of ownIds) ids.delete(own);
  const [others, fields] = await Promise.all([
    Promise.all([...ids].map((id) => pages.byId.load(id))),
    Promise.all([...ids].map((key) => pages.fieldsOf.load({ locale, key }))),
  ]);
  const shown = others.flatMap((other, index) =>
    other?.visibility === 'PUBLIC' && isInLanguage(other, locale)
      ? [{ other, keys: fields[index]?.keys }]
      : [],
  );
  const titles = shown.map(({ other, keys }) => keys?.seoTitle ?? other.titleKey);
  const descriptions = shown.map(({ keys }) => keys?.metaDescription ?? null);
  return {
    titleUses: titleKey === null ? 0 : titles.filter((key) => key === titleKey).length,
    descriptionUses:
      descriptionKey === null ? 0 : descriptions.filter((key) => key === descriptionKey).length,
  };
}

async function findNearest(
  { pages, ownIds, locale }: Search,
  { fingerprint }: PageDescription,
): Promise<number | null> {
  if (fingerprint === null) return null;
  const similar = await Promise.all(bandsOf(fingerprint).map((band) => pages.byBand.load(band)));
  const distances = similar
    .flat()
    .filter((other) => !ownIds.has(other.objectId) && isInLanguage(other, locale))
    .map((other) => distanceOf(fingerprint, other.fingerprint ?? ''));
  return distances.length === 0 ? null : Math.min(...distances);
}

async function findLinked(
  { pages, holderId }: Search,
  { links }: PageDescription,
): Promise<Pick<Surroundings, 'publishedLinks' | 'goneLinks'>> {
  if (links.length === 0) return { publishedLinks: [], goneLinks: [] };
  const [targets, self] = await Promise.all([
    Promise.all(links.map((link) => pages.byAddress.load(link))),
    pages.byId.load(holderId),
  ]);
  const found = targets.flat();
  const published = new Set(
    found.filter((target) => target.visibility === 'PUBLIC').map((target) => target.address ?? ''),
  );
  const hidden = found.map((target) => target.address ?? '').filter((address) => !published.has(address));
  const gone = new Set([...hidden, ...(self?.goneLinks ?? [])]);
  return {
    publishedLinks: links.filter((link) => published.has(link)),
    goneLinks: links.filter((link) => gone.has(link) && !published.has(link)),
  };
}

/** Returns whether an object is in a language. One without a language matches any. */
function isInLanguage({ languageTag }: Pick<SeoPage, 'languageTag'>, locale: string): boolean {
  return languageTag === null || languageTag === locale;
}
