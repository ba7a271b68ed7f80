import { createHash } from 'node:crypto';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidField } from '../../../platform/errors/AppError.ts';
import type { Installation } from '../../../platform/installation/Installation.ts';
import type { SavedSearchQueryInput } from '../../identity.generated.ts';
import { assertKnownAttributes } from '../catalog/assertKnownAttributes.ts';
import type { CatalogQuery } from '../catalog/CatalogSearch.ts';
import type { AttributeCondition } from '../catalog/columns/query.ts';
import { toCatalogQuery } from '../catalog/toCatalogQuery.ts';
import type { SavedSearchRecord, StoredQuery } from './model.ts';

/** Largest canonical form in UTF-8 bytes: the length of the longest address of a search. */
const largestQuery = 8192;

/**
 * Parses a query into its canonical form. Equal searches have the same fingerprint, regardless of the order of their
 * conditions.
 *
 * @throws AppError `validation_failed` for a query that the catalog refuses
 */
export async function readQuery(
  input: SavedSearchQueryInput,
  context: RequestContext,
): Promise<Pick<SavedSearchRecord, 'query' | 'fingerprint'>> {
  const query = toStored(await parse(input, context));
  const text = JSON.stringify(query);
  if (Buffer.byteLength(text) > largestQuery)
    throw refused(`The query is too long to be saved. It must have at most ${largestQuery} bytes as JSON.`);
  return { query, fingerprint: createHash('sha256').update(text).digest('hex') };
}

/** Returns the catalog query of a saved search, in descending order of publication. */
export function toCatalogSearch(
  query: StoredQuery,
  { locales }: Pick<Installation, 'locales'>,
  limits: Pick<CatalogQuery, 'publishedAfter' | 'publishedUntil' | 'exceptSeller'>,
): CatalogQuery {
  return {
    ...query,
    // Without words no text is stemmed, so any language is valid.
    locale: query.locale ?? locales[0] ?? 'en',
    // Translations are written after the publication that triggers the alert.
    textsIn: null,
    sort: { by: 'publishedAt', direction: -1 },
    ...limits,
  };
}

/** Parses the query. It is a member of the body, so errors point to that member. */
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
  return invalidField('#/query', detail);
}

/** Returns members in a fixed order and lists as sorted sets, because the fingerprint is computed from this text. */
function toStored(query: CatalogQuery): StoredQuery {
  return {
    q: query.q,
    // The language selects the stemmer; without words it has no effect.
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
