import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { notFound } from '../../../platform/errors/AppError.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { type Connection, findPage } from '../../../platform/pagination/findPage.ts';
import type { QuerylistingImportArgs } from '../../identity.generated.ts';
import { ImportErrorModel, type ImportErrorRecord, type ImportRecord, ListingImportModel } from './model.ts';

/** Import and the requested page of its errors. */
export interface ListingImportParent extends ImportRecord {
  page?: Pick<QuerylistingImportArgs, 'first' | 'after'>;
}

/** Returns an import. The dealer of the path is part of the filter, so an import of another dealer is not found. */
export async function listingImport(
  { dealerId, importId, first, after }: QuerylistingImportArgs,
  { installationId }: RequestContext,
): Promise<ListingImportParent> {
  const imports = scoped(ListingImportModel, installationId);
  const found = isId('listingImport', importId) ? await imports.findOne({ _id: importId, dealerId }) : null;
  if (!found) throw notFound('The listing import');
  return { ...found, page: { first, after } };
}

/** Returns errors of rows in ascending order. */
export function errorsOf(
  { _id, page }: ListingImportParent,
  context: RequestContext,
): Promise<Connection<ImportErrorRecord>> {
  return findPage({
    context,
    collection: scoped(ImportErrorModel, context.installationId),
    filter: { importId: _id },
    sort: [{ key: 'row', direction: 1 }],
    first: page?.first,
    after: page?.after,
  });
}
