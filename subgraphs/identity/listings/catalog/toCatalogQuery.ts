import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import type { CatalogAttributeInput, QuerycatalogListingsArgs } from '../../identity.generated.ts';
import type { CatalogQuery } from './CatalogSearch.ts';
import type { AttributeCondition, CatalogSort } from './columns/query.ts';
import { toBounds, toSurroundings } from './toPlace.ts';

/** Orders of every listing. */
const sorts = {
  relevance: { by: 'relevance', direction: -1 },
  distance: { by: 'distance', direction: 1 },
  published_at_desc: { by: 'publishedAt', direction: -1 },
  price_asc: { by: 'price', direction: 1 },
  price_desc: { by: 'price', direction: -1 },
} as const satisfies Readonly<Record<string, CatalogSort>>;
const attributeName = /^[a-z][A-Za-z0-9]{0,39}$/;
const longestText = 200;
const mostAttributes = 20;
const mostValues = 50;

/** Arguments that select and sort published listings. */
export type QueryParameters = Omit<QuerycatalogListingsArgs, 'first' | 'after' | 'count'>;

/**
 * Parses catalog queries, both stored and executed ones.
 *
 * @throws AppError `malformed_request`, `unsupported_parameter`
 */
export function toCatalogQuery(args: QueryParameters, { installation }: RequestContext): CatalogQuery {
  const { locale, categoryId, currency, priceMin, priceMax, publishedAfter, withImages } = args;
  if ((priceMin ?? priceMax ?? null) !== null && !currency)
    throw refused('A price filter needs "currency", because prices are compared in one currency.');
  const q = toSearchText(args.q);
  const near = toSurroundings(args.near, args.radiusKm);
  const bounds = toBounds(args.bounds);
  if (near && bounds) throw refused('Send "near" or "bounds", not both.');
  return {
    q,
    locale: locale ?? installation.locales[0] ?? 'en',
    textsIn: locale ?? null,
    categoryId: categoryId ?? null,
    currency: currency ?? null,
    priceMin: priceMin ?? null,
    priceMax: priceMax ?? null,
    conditions: args.condition ?? [],
    priceTypes: args.priceType ?? [],
    sellerTypes: args.sellerType ?? [],
    dealerIds: toDealerIds(args.dealerId),
    attributes: toConditions(args.attributes ?? []),
    near,
    bounds,
    publishedAfter: publishedAfter ?? null,
    withImages: withImages ?? null,
    sort: toSort(args, { q, near }),
  };
}

/**
 * Returns only the words of a query. Quotes and leading hyphens are operators of the text search, and an incomplete
 * operator finds nothing.
 */
function toSearchText(text: string | null | undefined): string | null {
  if ([...(text ?? '')].length > longestText)
    throw refused(`"q" must have at most ${longestText} characters.`);
  const words = (text ?? '').replaceAll(/["\p{Cc}]|(?<![\p{L}\p{N}])-/gu, ' ').trim();
  return words === '' ? null : words;
}

function toDealerIds(ids: readonly string[] | null | undefined): readonly string[] {
  if ((ids?.length ?? 0) > mostValues) throw refused(`At most ${mostValues} dealers can be requested.`);
  return ids ?? [];
}

function toSort(
  { sort, sortByAttribute }: Pick<QueryParameters, 'sort' | 'sortByAttribute'>,
  { q, near }: Pick<CatalogQuery, 'q' | 'near'>,
): CatalogSort {
  if (sortByAttribute) {
    if (sort) throw refused('Send "sort" or "sortByAttribute", not both.');
    const { name, direction } = sortByAttribute;
    assertAttributeName(name);
    return { by: `attributes.${name}`, direction: direction === 'desc' ? -1 : 1 };
  }
  const order = sort ?? (q === null ? 'published_at_desc' : 'relevance');
  if (order === 'relevance' && q === null) throw refused('Sorting by relevance needs "q".');
  if (order === 'distance' && !near) throw refused('Sorting by distance needs "near".');
  return sorts[order];
}

function assertAttributeName(name: string): void {
  if (attributeName.test(name)) return;
  throw new AppError('unsupported_parameter', 'An attribute name must look like "mileageKm".');
}

function toConditions(inputs: readonly CatalogAttributeInput[]): AttributeCondition[] {
  if (inputs.length > mostAttributes) throw refused(`At most ${mostAttributes} attributes can be requested.`);
  return inputs.map(({ name, values, all, min, max }) => {
    assertAttributeName(name);
    const condition = {
      name,
      values: values ?? [],
      all: all ?? [],
      min: min ?? null,
      max: max ?? null,
    };
    if (condition.values.length + condition.all.length > mostValues)
      throw refused(`At most ${mostValues} values of an attribute can be requested.`);
    return condition;
  });
}

function refused(detail: string): AppError {
  return new AppError('malformed_request', detail);
}
