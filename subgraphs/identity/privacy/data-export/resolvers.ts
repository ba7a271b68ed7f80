import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { DataExportResolvers, MutationResolvers, QueryResolvers } from '../../identity.generated.ts';
import type { ExportPart } from '../../kernel/personal-data/PersonalData.ts';
import { archiveUrl, isFetchable } from './archiveOf.ts';
import { dataExports } from './dataExports.ts';
import { DataExportModel } from './model.ts';
import { dataExportLoader, dataExportPolicy } from './policy.ts';
import { requestMyDataExport } from './requestMyDataExport.ts';
import { archiveFileCount } from './writeArchive.ts';

const Query: QueryResolvers = {
  // The guard has already loaded it, so this costs nothing and cannot fail.
  myDataExport: async (_, { exportId }, context) => {
    const record = await context.loader(dataExportLoader).load(exportId);
    if (!record) throw notFound('The data export');
    const isOver = record.state === 'ready' && !isFetchable(record, context.platform.now());
    if (!isOver && record.state !== 'expired') return record;
    throw new AppError('export_expired', 'This export has expired after 7 days. Request a new one.');
  },
};

const DataExport: DataExportResolvers = {
  url: (record, _, context) =>
    isFetchable(record, context.platform.now()) ? archiveUrl(record, context) : null,
};

/**
 * Returns the resource of data exports.
 *
 * @param parts files of an archive, of all resources
 */
export function dataExport(parts: readonly ExportPart[]): Resource {
  const Mutation: MutationResolvers = {
    requestMyDataExport: (_, { input }, context) =>
      requestMyDataExport(input, context, archiveFileCount(parts)),
  };
  return {
    resolvers: { Query, Mutation, DataExport },
    policies: { DataExport: dataExportPolicy },
    models: [DataExportModel],
    jobs: [dataExports(parts)],
  };
}
