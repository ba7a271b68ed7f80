import { createHash } from 'node:crypto';
import type { SavedSearchQueryInput } from '../../../schema/identity.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError, invalidFields } from '../../platform/errors/AppError.ts';
import { assertKnownAttributes } from '../catalog/assertKnownAttributes.ts';
import type { AttributeCondition, CatalogQuery } from '../catalog/CatalogSearch.ts';
import { toCatalogQuery } from '../catalog/toCatalogQuery.ts';
import { problem } from '../dealer/checkLine.ts';
import type { StoredQuery } from './model.ts';

/** UTF-8 bytes of the canonical form: as long as an address that searches. */
const largestQuery = 8192;

/** A query as it is kept, and what tells it from others. */
interface Canonical {
  query: StoredQuery;
  fingerprint: string;
}

/**
 * The query in one spelling, whatever the order in which a caller states it.
 *
 * @throws AppError `validation_failed` for what the catalogue itself would refuse
 */
export async function readQuery(input: SavedSearchQueryInput, context: RequestContext): Promise<Canonical> {
  const query = toStored(await parse(input, context));
  const text = JSON.stringify(query);
  if (Buffer.byteLength(text) > largestQuery) throw refused('The query is too long to be kept.');
  return { query, fingerprint: createHash('sha256').update(text).digest('hex') };
}

/** In a body it is a member that is wrong, not a parameter. */
async function parse(input: SavedSearchQueryInput, context: RequestContext): Promise<CatalogQuery> {
  try {
    const query = toCatalogQuery(input, context);
    await assertKnownAttributes(query, context);
    return query;
  } catch (error) {
    throw error instanceof AppError && error.status === 400 ? refused(error.message) : error;
  }
}

function refused(detail: string): AppError {
  return invalidFields([problem('#/query', detail)]);
}

/** Members in a fixed order, lists as sets: what stands here is what the fingerprint is made of. */
function toStored(query: CatalogQuery): StoredQuery {
  return {
    q: query.q,
    // It says how the words are stemmed; without any it changes nothing.
    locale: query.q === null ? null : query.locale,
    categoryId: query.categoryId,
    currency: query.currency,
    priceMin: query.priceMin,
    priceMax: query.priceMax,
    conditions: asSet(query.conditions),
    priceTypes: asSet(query.priceTypes),
    sellerTypes: asSet(query.sellerTypes),
    dealerIds: asSet(query.dealerIds),
    near: query.near,
    bounds: query.bounds,
    withImages: query.withImages,
    attributes: inOrder(query.attributes),
  };
}

function inOrder(conditions: readonly AttributeCondition[]): AttributeCondition[] {
  const texts = conditions.map(({ name, values, all, min, max }) =>
    JSON.stringify({ name, values: asSet(values), all: asSet(all), min, max }),
  );
  return asSet(texts).map((text) => JSON.parse(text) as AttributeCondition);
}

function asSet<Value extends string>(values: readonly Value[]): Value[] {
  return [...new Set(values)].sort();
}
