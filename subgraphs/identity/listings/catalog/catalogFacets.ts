import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import type { QuerycatalogFacetsArgs } from '../../identity.generated.ts';
import { type AttributeKind, attributeKinds } from '../category/installationCategories.ts';
import { assertKnownAttributes } from './assertKnownAttributes.ts';
import type { CatalogSearch } from './CatalogSearch.ts';
import type { CatalogFacets, FacetRequest } from './columns/query.ts';
import { toCatalogQuery } from './toCatalogQuery.ts';

const mostFacets = 20;
/** Members that every listing has. */
const members = ['categoryId', 'condition', 'priceType', 'sellerType'] as const;

/**
 * Validates the requested facets and counts them.
 *
 * @throws AppError `malformed_request`, `unsupported_parameter`
 */
export async function catalogFacets(
  { facets, ...args }: QuerycatalogFacetsArgs,
  context: RequestContext,
  search: CatalogSearch,
): Promise<CatalogFacets> {
  const query = toCatalogQuery(args, context);
  if (facets.length === 0 || facets.length > mostFacets)
    throw new AppError('malformed_request', `State 1 to ${mostFacets} facets.`);
  if (new Set(facets).size < facets.length)
    throw new AppError('malformed_request', 'A facet is requested twice.');
  await assertKnownAttributes(query, context);
  const kinds = await attributeKinds(context);
  const currency = query.currency ?? context.installation.defaultCurrency;
  return search.facets(
    context,
    query,
    facets.map((name) => toRequest(name, currency, kinds)),
  );
}

function toRequest(name: string, currency: string, kinds: ReadonlyMap<string, AttributeKind>): FacetRequest {
  const member = members.find((one) => one === name);
  if (member) return { name, by: member, kind: 'values', currency: null, isWhole: false };
  if (name === 'price') return { name, by: 'price', kind: 'range', currency, isWhole: true };
  const kind = kinds.get(name);
  if (!kind || kind === 'private')
    throw new AppError(
      'unsupported_parameter',
      `A facet is one of: ${members.join(', ')}, price, or a public attribute.`,
    );
  const by = `attributes.${name}` as const;
  return { name, by, kind: kind === 'text' ? 'values' : 'range', currency: null, isWhole: kind === 'whole' };
}
