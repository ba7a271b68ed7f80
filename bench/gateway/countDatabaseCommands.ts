import { Pool } from 'undici';
import type { Program } from '../../test/support/startProgram.ts';
import { type Load, sendOk } from '../harness/send.ts';

const sample = /^trigate_database_command_duration_seconds_count\{([^}]*)\} (\d+)$/gm;

/**
 * The database commands of one request, as the product's own metrics count them; those of the work in the background are
 * fewer than one in ten requests and not shown.
 *
 * @param product started with `METRICS_PORT`
 */
export async function countDatabaseCommands(
  product: Program,
  load: Load,
  requests: number,
): Promise<Map<string, number>> {
  const metricsUrl = /http:\/\/\S+\/metrics/.exec(product.printed)?.[0];
  if (metricsUrl === undefined) throw new Error('The product does not say where its metrics are.');
  const pool = new Pool(product.url, { connections: 4 });
  const ask = async (times: number): Promise<void> => {
    for (let asked = 0; asked < times; asked++) await sendOk(pool, load);
  };
  await ask(20);
  const before = await readCounts(metricsUrl);
  await ask(requests);
  const after = await readCounts(metricsUrl);
  await pool.close();
  const counts = [...after].map(
    ([command, count]) => [command, (count - (before.get(command) ?? 0)) / requests] as const,
  );
  return new Map(counts.filter(([, perRequest]) => perRequest >= 0.1));
}

async function readCounts(metricsUrl: string): Promise<Map<string, number>> {
  const text = await (await fetch(metricsUrl)).text();
  const counts = new Map<string, number>();
  for (const [, labels = '', count] of text.matchAll(sample)) {
    const [, command, collection] = /command="([^"]*)",collection="([^"]*)"/.exec(labels) ?? [];
    counts.set(`${command} ${collection}`, Number(count));
  }
  return counts;
}
