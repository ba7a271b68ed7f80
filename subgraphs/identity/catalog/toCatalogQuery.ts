import type { CatalogAttributeInput, QuerycatalogListingsArgs } from '../../../schema/identity.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { lowerCase } from '../upperCase.ts';
import type { AttributeCondition, CatalogQuery, CatalogSort } from './CatalogSearch.ts';

const sorts: readonly CatalogSort[] = ['relevance', '-publishedAt', 'price', '-price'];
const attributeName = /^[a-z][A-Za-z0-9]{0,39}$/;
const longestText = 200;
const mostAttributes = 20;
const mostValues = 50;

/** What selects and sorts published listings, as callers state it. */
type Parameters = Omit<QuerycatalogListingsArgs, 'first' | 'after' | 'count'>;

/**
 * The only reader of catalogue queries, whoever keeps or runs them.
 *
 * @throws AppError `malformed_request`, `unsupported_parameter`
 */
export function toCatalogQuery(args: Parameters, { installation }: RequestContext): CatalogQuery {
  const { locale, categoryId, dealerId, currency, priceMin, priceMax, publishedAfter } = args;
  if ((priceMin ?? priceMax ?? null) !== null && !currency)
    throw refused('A price is compared in one currency: state "currency".');
  const q = toSearchText(args.q);
  return {
    q,
    locale: locale ?? installation.locales[0] ?? 'en',
    categoryId: categoryId ?? null,
    currency: currency ?? null,
    priceMin: priceMin ?? null,
    priceMax: priceMax ?? null,
    conditions: (args.condition ?? []).map(lowerCase),
    priceTypes: (args.priceType ?? []).map(lowerCase),
    sellerTypes: (args.sellerType ?? []).map(lowerCase),
    dealerId: dealerId ?? null,
    attributes: toConditions(args.attributes ?? []),
    publishedAfter: publishedAfter ?? null,
    sort: toSort(args.sort, q),
  };
}

/** Words only: quotes and leading hyphens are operators of the text search, and an unfinished one finds nothing. */
function toSearchText(text: string | null | undefined): string | null {
  if ([...(text ?? '')].length > longestText) throw refused(`"q" has at most ${longestText} characters.`);
  const words = (text ?? '').replaceAll(/["\p{Cc}]|(?<![\p{L}\p{N}])-/gu, ' ').trim();
  return words === '' ? null : words;
}

function toSort(text: string | null | undefined, q: string | null): CatalogSort {
  const sort = text ?? (q === null ? '-publishedAt' : 'relevance');
  if (!isSort(sort)) throw new AppError('unsupported_parameter', `"sort" is one of: ${sorts.join(', ')}.`);
  if (sort === 'relevance' && q === null) throw refused('The order by relevance needs "q".');
  return sort;
}

function isSort(text: string): text is CatalogSort {
  return (sorts as readonly string[]).includes(text);
}

function toConditions(inputs: readonly CatalogAttributeInput[]): AttributeCondition[] {
  if (inputs.length > mostAttributes) throw refused(`At most ${mostAttributes} attributes can be asked for.`);
  return inputs.map(({ name, values, all, min, max }) => {
    if (!attributeName.test(name))
      throw new AppError('unsupported_parameter', 'An attribute has a name as in "mileageKm".');
    const condition = {
      name,
      values: values ?? [],
      all: all ?? [],
      min: min ?? null,
      max: max ?? null,
    };
    if (condition.values.length + condition.all.length > mostValues)
      throw refused(`At most ${mostValues} values of an attribute can be asked for.`);
    return condition;
  });
}

function refused(detail: string): AppError {
  return new AppError('malformed_request', detail);
}
