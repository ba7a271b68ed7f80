import { LRUCache } from 'lru-cache';
import type { QueryFilter } from 'mongoose';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import type { CatalogQuery } from './CatalogSearch.ts';
import type { ListingColumns } from './columns/ListingColumns.ts';
import type { CatalogListingRecord } from './model.ts';
import { shownListings } from './shownListings.ts';
import { toToken } from './toCatalogListing.ts';
import { toTextLanguage } from './toTextLanguage.ts';
import { toWordScore } from './toWordScore.ts';

type Filter = QueryFilter<CatalogListingRecord>;

/** Matches that are looked at: reading on would cost more than anybody gains by it. */
const mostMatches = 10_000;
/** Up to here the database says how well a text matches: it reads the whole text for that. */
const mostScored = 500;

/** Listings whose texts match. */
export interface WordMatches {
  /** How well, by id; 0 where nobody asked. */
  scores: ReadonlyMap<string, number>;
  /** Whether these are all. */
  complete: boolean;
}

/** What was found lately; good as long as no listing has changed since. */
interface Remembered {
  readonly version: number;
  readonly matches: WordMatches;
}

/** A search and its facets ask for the same words, and every page does. */
const mostRemembered = 20;
const remembered = new WeakMap<ListingColumns, LRUCache<string, Remembered>>();

/**
 * Looks the words of a query up in the text index. Conditions that the database can decide are stated besides, so that
 * they do not take the places of matches that count; every condition is decided again in the columns.
 *
 * @param columns brought up to date for this request
 * @param ignored members of listings on which conditions must not be stated
 */
export async function findWords(
  context: RequestContext,
  columns: ListingColumns,
  query: CatalogQuery & { q: string },
  ignored: readonly string[],
): Promise<WordMatches> {
  const isRanked = query.sort.by === 'relevance' && ignored.length === 0;
  const filter = { ...toFilter(query, ignored), $text: textOf(query) };
  const key = JSON.stringify([isRanked, filter]);
  const known = remembered.get(columns) ?? new LRUCache<string, Remembered>({ max: mostRemembered });
  remembered.set(columns, known);
  // Before the reading: whatever is written during it makes another version.
  const { version } = columns;
  const found = known.get(key);
  if (found?.version === version) return found.matches;
  const matches = await readMatches(context, filter, isRanked ? query.q : null);
  known.set(key, { version, matches });
  return matches;
}

async function readMatches(
  context: RequestContext,
  filter: Filter,
  rankedBy: string | null,
): Promise<WordMatches> {
  const found = await shownListings(context).find(filter, {
    projection: { _id: 1, ...(rankedBy === null ? {} : { title: 1, attributesText: 1 }) },
    limit: mostMatches + 1,
    inOneBatch: true,
  });
  const complete = found.length <= mostMatches;
  if (rankedBy !== null && found.length <= mostScored)
    return { complete, scores: await scoresOf(context, filter) };
  const score = rankedBy === null ? () => 0 : toWordScore(rankedBy);
  return { complete, scores: new Map(found.slice(0, mostMatches).map((copy) => [copy._id, score(copy)])) };
}

async function scoresOf(context: RequestContext, filter: Filter): Promise<Map<string, number>> {
  const scored = await shownListings(context).aggregate<{ _id: string; score: number }>(filter, [
    // Without a limit the embedded engine reads every text once more.
    { $limit: mostScored },
    { $project: { score: { $meta: 'textScore' } } },
  ]);
  return new Map(scored.map(({ _id, score }) => [_id, score]));
}

function textOf({ q, locale }: CatalogQuery & { q: string }): { $search: string; $language: string } {
  return { $search: q, $language: toTextLanguage(locale) };
}

function toFilter(query: CatalogQuery, ignored: readonly string[]): Filter {
  const { categoryId, dealerIds, conditions, priceTypes, sellerTypes, currency, bounds } = query;
  const { priceMin, priceMax, publishedAfter } = query;
  const tokens = query.attributes
    .filter(({ name }) => !ignored.includes(`attributes.${name}`))
    .flatMap(({ name, values, all, min, max }) => [
      ...(values.length > 0
        ? [{ attributeTokens: { $in: values.map((value) => toToken(name, value)) } }]
        : []),
      ...all.map((value) => ({ attributeTokens: toToken(name, value) })),
      between(`attributes.${name}`, min, max),
    ]);
  const conditionsByMember: Record<string, Filter> = {
    categoryId: categoryId === null ? {} : { categoryIds: categoryId },
    sellerId: oneOf('seller.id', dealerIds),
    condition: oneOf('condition', conditions),
    priceType: oneOf('priceType', priceTypes),
    sellerType: oneOf('seller.type', sellerTypes),
    currency: currency === null ? {} : { 'price.currency': currency },
    price: between('price.amount', priceMin, priceMax),
    publishedAt: publishedAfter ? { publishedAt: { $gt: publishedAfter } } : {},
    place: bounds ? between('location.geo.lat', bounds.south, bounds.north) : {},
  };
  const stated = Object.entries(conditionsByMember).filter(([member]) => !ignored.includes(member));
  return Object.assign({}, ...stated.map(([, filter]) => filter), tokens.length > 0 ? { $and: tokens } : {});
}

function oneOf(path: string, values: readonly string[]): Filter {
  return values.length > 0 ? { [path]: { $in: [...values] } } : {};
}

function between(path: string, min: number | null, max: number | null): Filter {
  if (min === null && max === null) return {};
  return { [path]: { ...(min === null ? {} : { $gte: min }), ...(max === null ? {} : { $lte: max }) } };
}
