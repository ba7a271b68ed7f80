import { reads } from '../../../platform/installation/scoped.ts';
import { dayMs } from '../../../platform/time/durations.ts';
import {
  UsageCountModel,
  type UsageCountRecord,
  UsageOperationModel,
} from '../../../platform/usage/model.ts';
import { ApiClientModel } from '../api-client/model.ts';

/** An operation with the parts of the schema that it uses. */
export interface OperationLine {
  readonly operation: string;
  readonly name: string | null;
  readonly coordinates: readonly string[];
}

/** Executions of an operation by a client on a day. */
export interface CountLine {
  readonly installation: string;
  /** As in `2026-11-27`. */
  readonly day: string;
  readonly client: string;
  /** Name of the API client; null for other clients. */
  readonly clientName: string | null;
  readonly operation: string;
  readonly count: number;
  readonly lastUsedAt: Date;
}

/**
 * Yields the usage of an installation: its operations, then the executions of each day in order.
 *
 * @param days number of days before today, which is included
 */
export async function* exportUsage(
  installationId: string,
  { days, nowMs }: { days: number; nowMs: number },
): AsyncGenerator<OperationLine | CountLine, void> {
  const operations = await reads(UsageOperationModel, installationId).find({}, { sort: { _id: 1 } });
  for (const { operation, name, coordinates } of operations) yield { operation, name, coordinates };
  const today = nowMs - (nowMs % dayMs);
  for (let dayStart = today - days * dayMs; dayStart <= today; dayStart += dayMs)
    yield* exportDay(installationId, dayStart);
}

type Sum = Pick<UsageCountRecord, 'client' | 'operation' | 'count' | 'lastUsedAt'>;

async function* exportDay(installationId: string, dayStart: number): AsyncGenerator<CountLine, void> {
  const sums = await reads(UsageCountModel, installationId).aggregate<Sum>(
    { hour: { $gte: new Date(dayStart), $lt: new Date(dayStart + dayMs) } },
    [
      {
        $group: {
          _id: { client: '$client', operation: '$operation' },
          count: { $sum: '$count' },
          lastUsedAt: { $max: '$lastUsedAt' },
        },
      },
      { $sort: { _id: 1 } },
      { $project: { _id: 0, client: '$_id.client', operation: '$_id.operation', count: 1, lastUsedAt: 1 } },
    ],
  );
  const clients = await reads(ApiClientModel, installationId).find(
    { _id: { $in: [...new Set(sums.map(({ client }) => client))] } },
    { projection: { name: 1 } },
  );
  const names = new Map(clients.map(({ _id, name }) => [_id, name]));
  const day = new Date(dayStart).toISOString().slice(0, 10);
  for (const { client, operation, count, lastUsedAt } of sums)
    yield {
      installation: installationId,
      day,
      client,
      clientName: names.get(client) ?? null,
      operation,
      count,
      lastUsedAt,
    };
}
