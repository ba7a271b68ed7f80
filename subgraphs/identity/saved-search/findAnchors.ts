import type { RequestContext } from '../../platform/context/RequestContext.ts';
import type { CatalogSearch } from '../catalog/CatalogSearch.ts';
import { toToken } from '../catalog/toCatalogListing.ts';
import { toStems } from '../catalog/words/toStems.ts';
import type { StoredQuery } from './model.ts';
import { around, equalToken, numberTokens, rectangleTokens } from './tokens.ts';
import { emptyQuery, toSearch } from './toSearch.ts';

/** A condition that everything a search finds meets. */
interface Condition {
  /** It has at least one of them. */
  tokens: readonly string[];
  /** The condition by itself. */
  alone: Partial<StoredQuery>;
}

/** A search stands under no more tokens than these: one with more is looked for by another of its conditions. */
const mostTokens = 64;
/** Conditions that are compared; those behind them are no better. */
const mostCompared = 8;
/** From here on a condition is as common as any. */
const mostCounted = 2000;
/** Differences between rarer ones are chance. */
const noise = 16;

/**
 * The tokens under which a search is kept for the matching of new listings: those of the one condition that the fewest
 * listings meet now. Whatever it finds has one of them, and few others do. None for a search that finds nothing, as for
 * the word "the".
 */
export async function findAnchors(
  query: StoredQuery,
  context: RequestContext,
  search: Pick<CatalogSearch, 'count'>,
): Promise<string[]> {
  const conditions = conditionsOf(query);
  const [words] = conditions;
  if (query.q !== null && words?.tokens.length === 0) return [];
  const usable = conditions.filter(({ tokens }) => tokens.length > 0 && tokens.length <= mostTokens);
  const compared = usable.slice(0, mostCompared);
  if (compared.length < 2) return [...(compared[0]?.tokens ?? ['*'])];
  const found = await Promise.all(
    compared.map(({ alone }) =>
      search.count(context, toSearch({ ...emptyQuery, ...alone }, context), mostCounted),
    ),
  );
  const weights = found.map((count) => Math.floor(Math.log2(count + noise)));
  // Of equal ones the first: they stand in the order in which they usually tell listings apart.
  return [...(compared[weights.indexOf(Math.min(...weights))]?.tokens ?? [])];
}

function conditionsOf(query: StoredQuery): Condition[] {
  const { q, locale, dealerIds, categoryId, near, bounds, currency, priceMin, priceMax } = query;
  const area = near ? around(near) : bounds;
  const price = priceMin !== null || priceMax !== null;
  return [
    ...one(q, (text) => ({ tokens: wordsOf(text, locale ?? ''), alone: { q, locale } })),
    ...oneOf('seller', dealerIds, { dealerIds }),
    ...query.attributes.flatMap(attributeConditions),
    ...one(categoryId, (id) => ({ tokens: [equalToken('category', id)], alone: { categoryId } })),
    ...one(area, (rectangle) => ({
      tokens: rectangleTokens(rectangle, mostTokens),
      alone: { near, bounds },
    })),
    ...(price && currency !== null
      ? [
          {
            tokens: numberTokens(`price ${currency}`, priceMin, priceMax),
            alone: { currency, priceMin, priceMax },
          },
        ]
      : []),
    ...query.attributes.flatMap(rangeConditions),
    ...oneOf('condition', query.conditions, { conditions: query.conditions }),
    ...oneOf('priceType', query.priceTypes, { priceTypes: query.priceTypes }),
    ...oneOf('sellerType', query.sellerTypes, { sellerTypes: query.sellerTypes }),
    ...one(currency, (code) => ({ tokens: [equalToken('currency', code)], alone: { currency } })),
  ];
}

type Attribute = StoredQuery['attributes'][number];

function attributeConditions({ name, values, all }: Attribute): Condition[] {
  const each = [...(values.length > 0 ? [values] : []), ...all.map((value) => [value])];
  return each.map((wanted) => ({
    tokens: wanted.map((value) => equalToken('attribute', toToken(name, value))),
    alone: { attributes: [{ name, values: wanted, all: [], min: null, max: null }] },
  }));
}

function rangeConditions({ name, min, max }: Attribute): Condition[] {
  if (min === null && max === null) return [];
  return [
    {
      tokens: numberTokens(`attribute ${name}`, min, max),
      alone: { attributes: [{ name, values: [], all: [], min, max }] },
    },
  ];
}

function oneOf(member: string, values: readonly string[], alone: Partial<StoredQuery>): Condition[] {
  return values.length > 0 ? [{ tokens: values.map((value) => equalToken(member, value)), alone }] : [];
}

function one<V>(value: V | null, toCondition: (value: V) => Condition): Condition[] {
  return value === null ? [] : [toCondition(value)];
}

function wordsOf(text: string, languageTag: string): string[] {
  return [...toStems(text, languageTag)].map((stem) => equalToken('word', stem));
}
