import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedDb } from '../startEmbeddedDb.ts';
import { chooseIdentity } from './Identity.ts';

/** Starts a database and prints, as JSON, as whom it runs and whose its files are; or why it does not start. */
const [dataDir = '', cacheDir = ''] = process.argv.slice(2);
try {
  const database = await startEmbeddedDb({ dataDir, cacheDir, engine: 'documentdb', testing: true });
  const clusterDir = join(dataDir, 'documentdb/cluster');
  const processId = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n')[0];
  const status = readFileSync(`/proc/${processId}/status`, 'utf8');
  const uids = new Set(/^Uid:\s+(.*)$/m.exec(status)?.[1]?.split(/\s+/));
  const files = statSync(join(clusterDir, 'PG_VERSION')).uid;
  console.log(JSON.stringify({ kind: chooseIdentity().kind, uids: [...uids].join(' '), files }));
  await database.stop();
} catch (error) {
  console.log(JSON.stringify({ failure: String(error) }));
}
