import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { notFound } from '../../../platform/errors/AppError.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { type Connection, findPage } from '../../../platform/pagination/findPage.ts';
import type {
  ListingImporterrorsArgs,
  QuerylistingImportArgs,
  QuerylistingImportsArgs,
} from '../../identity.generated.ts';
import { ImportErrorModel, type ImportErrorRecord, type ImportRecord, ListingImportModel } from './model.ts';

/** Parent of the resolvers of `ListingImport`. */
export type ListingImportParent = ImportRecord;

/** Returns an import. The dealer of the path is part of the filter, so an import of another dealer is not found. */
export async function listingImport(
  { dealerId, importId }: QuerylistingImportArgs,
  { installationId }: RequestContext,
): Promise<ImportRecord> {
  const imports = scoped(ListingImportModel, installationId);
  const found = isId('listingImport', importId) ? await imports.findOne({ _id: importId, dealerId }) : null;
  if (!found) throw notFound('The listing import');
  return found;
}

/** Returns the imports of a dealer in descending order of creation. Ended imports are removed after a while. */
export function importsOf(
  { dealerId, first, after }: QuerylistingImportsArgs,
  context: RequestContext,
): Promise<Connection<ImportRecord>> {
  return findPage({
    context,
    collection: scoped(ListingImportModel, context.installationId),
    filter: { dealerId },
    sort: [{ key: 'createdAt', direction: -1 }],
    first,
    after,
  });
}

/** Returns errors of rows in ascending order. */
export function errorsOf(
  { _id }: ImportRecord,
  { first, after }: ListingImporterrorsArgs,
  context: RequestContext,
): Promise<Connection<ImportErrorRecord>> {
  return findPage({
    context,
    collection: scoped(ImportErrorModel, context.installationId),
    filter: { importId: _id },
    sort: [{ key: 'row', direction: 1 }],
    first,
    after,
  });
}
