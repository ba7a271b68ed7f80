import path from 'node:path';
import { startEmbeddedDb } from '../../embedded-db/startEmbeddedDb.ts';
import type { Configuration } from '../configuration/readConfiguration.ts';
import { assertWritable } from '../services/assertWritable.ts';
import type { Reporting, RunningProcess } from './runProcess.ts';

/** Starts the embedded database alone, for processes that share it. */
export async function startDatabase(
  { dataDir, embeddedDb: engine }: Configuration,
  { progress }: Reporting,
): Promise<RunningProcess> {
  await assertWritable(dataDir);
  const database = await startEmbeddedDb({ dataDir: path.resolve(dataDir, 'db'), engine, progress });
  return { ready: `MONGODB_URI=${database.uri}`, close: () => database.stop() };
}
