import type { DeprecatedPart } from '../../../../../schema/deprecation/DeprecatedPart.ts';
import { reads } from '../../../../platform/installation/scoped.ts';
import { dayMs } from '../../../../platform/time/durations.ts';
import { UsageCountModel, UsageOperationModel } from '../../../../platform/usage/model.ts';
import type { DeprecatedUse } from '../../../mail/MailTemplate.ts';

/** Days of use that are considered. */
const windowDays = 30;

/** Executions of an operation by an API client. */
interface ClientCount {
  client: string;
  operation: string;
  count: number;
}

/**
 * Finds the API clients of an installation that use deprecated parts of the API, or may use them: `Sort.*` stands for each value
 * of an enum. Two commands, for any number of clients.
 *
 * @returns uses by id of the API client, in the order of the parts
 */
export async function findDeprecatedUses(
  installationId: string,
  parts: readonly DeprecatedPart[],
  nowMs: number,
): Promise<Map<string, DeprecatedUse[]>> {
  const wanted = parts.map((part) => ({ part, keys: keysOf(part.name) }));
  const keys = [...new Set(wanted.flatMap((entry) => entry.keys))];
  const operations = await reads(UsageOperationModel, installationId).find({
    $or: [{ coordinates: { $in: keys } }, { operation: { $in: keys } }],
  });
  const counts = await countByClient(
    installationId,
    operations.map(({ operation }) => operation),
    nowMs,
  );
  const used = new Map(
    operations.map(({ operation, coordinates }) => [operation, new Set([operation, ...coordinates])]),
  );
  const uses = new Map<string, DeprecatedUse[]>();
  for (const [client, own] of Map.groupBy(counts, (entry) => entry.client)) {
    const found = wanted.flatMap(({ part, keys }) => {
      const using = own.filter(({ operation }) => keys.some((key) => used.get(operation)?.has(key)));
      const count = using.reduce((sum, entry) => sum + entry.count, 0);
      return count > 0 ? [{ part: part.name, count, until: part.until }] : [];
    });
    if (found.length > 0) uses.set(client, found);
  }
  return uses;
}

/** Returns what the ledger stores for a part: its coordinate, its type as a whole, or its route. */
function keysOf(name: string): string[] {
  const [type] = name.split('.', 1);
  return name.includes(' ') || name.includes('(') ? [name] : [name, `${type}.*`];
}

function countByClient(
  installationId: string,
  operations: readonly string[],
  nowMs: number,
): Promise<ClientCount[]> | ClientCount[] {
  if (operations.length === 0) return [];
  const match = {
    operation: { $in: operations },
    client: /^cli_/,
    hour: { $gte: new Date(nowMs - windowDays * dayMs) },
  };
  return reads(UsageCountModel, installationId).aggregate<ClientCount>(match, [
    { $group: { _id: { client: '$client', operation: '$operation' }, count: { $sum: '$count' } } },
    { $sort: { _id: 1 } },
    { $project: { _id: 0, client: '$_id.client', operation: '$_id.operation', count: 1 } },
  ]);
}
