import type { QueryFilter } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { reads, type ScopedCollection } from '../../../platform/installation/scoped.ts';
import { type Connection, findPage } from '../../../platform/pagination/findPage.ts';
import { hourMs } from '../../../platform/time/durations.ts';
import {
  UsageCountModel,
  type UsageCountRecord,
  UsageOperationModel,
  usageOperationId,
} from '../../../platform/usage/model.ts';
import type { ApiUsage, ApiUsageFilter, QueryapiUsageArgs } from '../../identity.generated.ts';
import { ApiClientModel } from '../api-client/model.ts';

/** Largest value of `Int`. */
const mostCount = 2_147_483_647;
const longestText = 200;
const coordinatePattern = /^[_A-Za-z]\w*(?:\.[_A-Za-z]\w*(?:\([_A-Za-z]\w*:\))?)?$/;

/** Counts of one client and operation, added up over the hours. */
interface UsageRow
  extends Pick<
    UsageCountRecord,
    '_id' | 'installationId' | 'client' | 'operation' | 'count' | 'firstUsedAt' | 'lastUsedAt'
  > {}

/** Returns a page of the use of the API in the installation. */
export async function apiUsage(
  { filter, first, after }: QueryapiUsageArgs,
  context: RequestContext,
): Promise<Connection<ApiUsage>> {
  checkFilter(filter ?? {});
  const match = await toMatch(filter ?? {}, context.installationId);
  const { nodes, pageInfo } = await findPage<UsageRow>({
    context,
    collection: sumsOf(match, context.installationId),
    filter: {},
    sort: [
      { key: 'client', direction: 1 },
      { key: 'operation', direction: 1 },
    ],
    first,
    after,
    binding: filter,
  });
  return { nodes: await toApiUsage(nodes, context.installationId), pageInfo };
}

function checkFilter({ coordinate, route, client, from, to }: ApiUsageFilter): void {
  for (const [name, text] of Object.entries({ coordinate, route, client })) {
    if ((text?.length ?? 0) > longestText)
      throw new AppError('malformed_request', `"${name}" must have at most ${longestText} characters.`);
  }
  if (coordinate && !coordinatePattern.test(coordinate))
    throw new AppError(
      'malformed_request',
      '"coordinate" must be a schema coordinate, such as "Listing.title" or "Query.listing(id:)".',
    );
  if (from && to && from >= to) throw new AppError('malformed_request', '"from" must be before "to".');
}

async function toMatch(
  { coordinate, route, client, from, to }: ApiUsageFilter,
  installationId: string,
): Promise<QueryFilter<UsageCountRecord>> {
  const conditions: QueryFilter<UsageCountRecord>[] = [];
  if (coordinate) {
    const using = await reads(UsageOperationModel, installationId).find(
      { coordinates: toCoordinates(coordinate) },
      { projection: { operation: 1 } },
    );
    conditions.push({ operation: { $in: using.map(({ operation }) => operation) } });
  }
  if (route) conditions.push({ operation: route });
  if (client) conditions.push({ client });
  if (from) conditions.push({ hour: { $gte: new Date(from.getTime() - (from.getTime() % hourMs)) } });
  if (to) conditions.push({ hour: { $lt: to } });
  return conditions.length > 0 ? { $and: conditions } : {};
}

/** Returns the condition for coordinates that include a part of the schema; a type includes its members. */
function toCoordinates(coordinate: string): RegExp | { $in: string[] } {
  const [type, member] = coordinate.split('.', 2);
  return member === undefined ? new RegExp(`^${type}(?:\\.|$)`) : { $in: [coordinate, `${type}.*`] };
}

/** Returns the sums of counts as a collection, so that they can be read in pages. */
function sumsOf(
  match: QueryFilter<UsageCountRecord>,
  installationId: string,
): Pick<ScopedCollection<UsageRow>, 'find'> {
  return {
    find: (filter, { sort = {}, limit = 1 } = {}) =>
      reads(UsageCountModel, installationId).aggregate<UsageRow>(match, [
        {
          $group: {
            _id: { client: '$client', operation: '$operation' },
            count: { $sum: '$count' },
            firstUsedAt: { $min: '$firstUsedAt' },
            lastUsedAt: { $max: '$lastUsedAt' },
          },
        },
        {
          $project: {
            _id: { $concat: ['$_id.client', ' ', '$_id.operation'] },
            client: '$_id.client',
            operation: '$_id.operation',
            count: 1,
            firstUsedAt: 1,
            lastUsedAt: 1,
          },
        },
        { $match: filter },
        { $sort: sort },
        { $limit: limit },
      ]),
  };
}

/** Adds what is stored once: operations with their coordinates, and names of API clients. */
async function toApiUsage(rows: readonly UsageRow[], installationId: string): Promise<ApiUsage[]> {
  if (rows.length === 0) return [];
  const [operations, clients] = await Promise.all([
    reads(UsageOperationModel, installationId).find({
      _id: { $in: rows.map(({ operation }) => usageOperationId(installationId, operation)) },
    }),
    reads(ApiClientModel, installationId).find(
      { _id: { $in: rows.map(({ client }) => client) } },
      { projection: { name: 1 } },
    ),
  ]);
  const byOperation = new Map(operations.map((record) => [record.operation, record]));
  const names = new Map(clients.map(({ _id, name }) => [_id, name]));
  return rows.map(({ client, operation, count, firstUsedAt, lastUsedAt }) => {
    const isRoute = operation.includes(' ');
    const used = byOperation.get(operation);
    return {
      client,
      clientName: names.get(client) ?? null,
      route: isRoute ? operation : null,
      operationHash: isRoute ? null : operation,
      operationName: used?.name ?? null,
      coordinates: used?.coordinates ?? [],
      count: Math.min(count, mostCount),
      firstUsedAt,
      lastUsedAt,
    };
  });
}
