import { setTimeout as delay } from 'node:timers/promises';
import { withTimeLimit } from './executeSql.ts';
import type { GatewayServices } from './GatewayServices.ts';

/** Tasks that DocumentDB leaves to a scheduler, with the pause after each run. */
const tasks = [
  // MongoDB takes a minute. Shorter, because a developer may be waiting.
  { statement: 'CALL documentdb_api_internal.delete_expired_rows()', pauseMs: 10_000 },
  // Files of sorted results that no client has read completely.
  { statement: 'SELECT documentdb_api_internal.cursor_directory_cleanup()', pauseMs: 60_000 },
];

const unlimited = { maxTimeMs: 0 };

/** Deletes expired documents and abandoned cursor files until the returned function is called. */
export function startHousekeeping({ pool, log }: Pick<GatewayServices, 'pool' | 'log'>): () => void {
  const ended = new AbortController();
  const { signal } = ended;

  async function repeat({ statement, pauseMs }: (typeof tasks)[number]): Promise<void> {
    for (;;) {
      await delay(pauseMs, undefined, { signal, ref: false });
      try {
        await pool.use((connection) =>
          withTimeLimit(unlimited, connection, () => connection.execute(statement)),
        );
      } catch (error) {
        if (!signal.aborted) log(`${statement} failed: ${String(error)}`);
      }
    }
  }

  // It rejects only if a pause is aborted.
  for (const task of tasks) repeat(task).catch(() => {});
  return () => ended.abort();
}
