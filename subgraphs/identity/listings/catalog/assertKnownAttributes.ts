import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { attributeKinds } from '../category/installationCategories.ts';
import type { CatalogQuery } from './CatalogSearch.ts';

const prefix = 'attributes.';

/**
 * Checks that some category has each attribute that a query names, and that the sort attribute is numeric. A misspelled
 * attribute is reported as an unknown parameter instead of matching no listing.
 *
 * @throws AppError `unsupported_parameter`
 */
export async function assertKnownAttributes(
  { attributes, sort: { by } }: CatalogQuery,
  context: RequestContext,
): Promise<void> {
  if (attributes.length === 0 && !by.startsWith(prefix)) return;
  const kinds = await attributeKinds(context);
  const unknown = attributes.find(({ name }) => !kinds.has(name));
  if (unknown) throw new AppError('unsupported_parameter', `No category has an attribute "${unknown.name}".`);
  if (!by.startsWith(prefix)) return;
  const kind = kinds.get(by.slice(prefix.length));
  if (kind !== 'whole' && kind !== 'decimal')
    throw new AppError(
      'unsupported_parameter',
      `Listings cannot be sorted by "${by.slice(prefix.length)}", which is not a numeric attribute.`,
    );
}
