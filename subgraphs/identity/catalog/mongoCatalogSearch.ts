import type { QueryFilter } from 'mongoose';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { decodeCursor, encodeCursor } from '../../platform/pagination/cursor.ts';
import { type Connection, findPage, pageSize } from '../../platform/pagination/findPage.ts';
import type { AttributeCondition, CatalogPageRequest, CatalogQuery, CatalogSearch } from './CatalogSearch.ts';
import type { CatalogListingRecord } from './model.ts';
import { shownListings } from './shownListings.ts';
import { toToken } from './toCatalogListing.ts';
import { toTextLanguage } from './toTextLanguage.ts';

type Filter = QueryFilter<CatalogListingRecord>;
type Scored = CatalogListingRecord & { score: number };

const countLimit = 10_000;

/** The search on the database itself: text index, keyset pages, one command a page and one for the count. */
export const mongoCatalogSearch: CatalogSearch = {
  async search(context, query, page) {
    const filter = toFilter(query);
    const [connection, totalCount] = await Promise.all([
      query.sort === 'relevance'
        ? findByRelevance(context, filter, page)
        : findSorted(context, filter, query.sort, page),
      page.count ? countUpToLimit(context, filter) : null,
    ]);
    return { ...connection, totalCount };
  },
  count: (context, query, limit) => shownListings(context).count(toFilter(query), { limit }),
};

function findSorted(
  context: RequestContext,
  filter: Filter,
  sort: '-publishedAt' | 'price' | '-price',
  { first, after }: CatalogPageRequest,
): Promise<Connection<CatalogListingRecord>> {
  const key = sort === '-publishedAt' ? ('publishedAt' as const) : ('priceRank' as const);
  const direction = sort === 'price' ? 1 : -1;
  return findPage({
    context,
    filter,
    first,
    after,
    collection: shownListings(context),
    sort: [
      {
        key,
        direction,
      },
    ],
  });
}

/** The score is no stored member: it is computed before the position of the cursor is compared with it. */
async function findByRelevance(
  context: RequestContext,
  filter: Filter,
  { first, after }: CatalogPageRequest,
): Promise<Connection<CatalogListingRecord>> {
  const size = pageSize(first);
  const binding = [filter, 'relevance'];
  const [score, id] = after ? decodeCursor(context, binding, after) : [];
  const behind = { $match: { $or: [{ score: { $lt: score } }, { score, _id: { $gt: id } }] } };
  const found = await shownListings(context).aggregate<Scored>(filter, [
    { $addFields: { score: { $meta: 'textScore' } } },
    ...(after ? [behind] : []),
    { $sort: { score: -1, _id: 1 } },
    { $limit: size + 1 },
  ]);
  const nodes = found.slice(0, size);
  const last = nodes.at(-1);
  const hasNextPage = found.length > size;
  return {
    nodes,
    pageInfo: {
      hasNextPage,
      endCursor: hasNextPage && last ? encodeCursor(context, binding, [last.score, last._id]) : null,
    },
  };
}

async function countUpToLimit(context: RequestContext, filter: Filter): Promise<string> {
  const count = await shownListings(context).count(filter, { limit: countLimit + 1 });
  return count > countLimit ? `${countLimit}+` : String(count);
}

function toFilter(query: CatalogQuery): Filter {
  const { q, categoryId, dealerId, conditions, priceTypes, sellerTypes, publishedAfter } = query;
  const attributes = query.attributes.flatMap(toAttributeFilters);
  return {
    ...(q === null ? {} : { $text: { $search: q, $language: toTextLanguage(query.locale) } }),
    ...(categoryId === null ? {} : { categoryIds: categoryId }),
    ...(dealerId === null ? {} : { 'seller.id': dealerId }),
    ...oneOf('condition', conditions),
    ...oneOf('priceType', priceTypes),
    ...oneOf('seller.type', sellerTypes),
    ...(publishedAfter ? { publishedAt: { $gt: publishedAfter } } : {}),
    ...priceFilter(query),
    ...(attributes.length > 0 ? { $and: attributes } : {}),
  };
}

function oneOf(member: string, values: readonly string[]): object {
  return values.length > 0 ? { [member]: { $in: [...values] } } : {};
}

function priceFilter({ currency, priceMin, priceMax }: CatalogQuery): object {
  return {
    ...(currency === null ? {} : { 'price.currency': currency }),
    ...(priceMin === null && priceMax === null ? {} : { 'price.amount': between(priceMin, priceMax) }),
  };
}

function between(min: number | null, max: number | null): object {
  return { ...(min === null ? {} : { $gte: min }), ...(max === null ? {} : { $lte: max }) };
}

function toAttributeFilters({ name, values, all, min, max }: AttributeCondition): object[] {
  return [
    ...(values.length > 0 ? [{ attributeTokens: { $in: values.map((value) => toToken(name, value)) } }] : []),
    ...all.map((value) => ({ attributeTokens: toToken(name, value) })),
    ...(min === null && max === null ? [] : [{ [`attributes.${name}`]: between(min, max) }]),
  ];
}
