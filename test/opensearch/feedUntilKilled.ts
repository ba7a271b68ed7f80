import { tmpdir } from 'node:os';
import pino from 'pino';
import { catalogIndexJob } from '../../subgraphs/identity/listings/catalog/opensearch/upkeep/catalogIndexJob.ts';
import { startJobs } from '../../subgraphs/platform/jobs/startJobs.ts';
import { createFileTransport } from '../../subgraphs/platform/mail/createFileTransport.ts';
import { connectMongo } from '../../subgraphs/platform/mongo/connectMongo.ts';
import { openPlatform } from '../../subgraphs/platform/process/openPlatform.ts';
import { createSecrets } from '../../subgraphs/platform/secrets/deriveSecret.ts';
import { createDiskStorage } from '../../subgraphs/platform/storage/diskStorage.ts';

/** The process that tests kill. It writes the catalogue to OpenSearch as the product does. */
const [uri = '', database = '', url = '', alias = ''] = process.argv.slice(2);
await connectMongo({ uri, database });
const platform = await openPlatform({
  issuer: 'http://issuer.test',
  secrets: createSecrets(Buffer.alloc(32, 7)),
  log: pino({ level: 'silent' }),
  mail: createFileTransport(tmpdir(), { from: 'no-reply@localhost' }),
  ask: () => Promise.resolve({ _entities: [] }),
  storage: createDiskStorage(tmpdir()),
  catalog: { engine: 'opensearch', openSearch: { nodes: [url], alias } },
});
startJobs([catalogIndexJob], platform, { leaseMs: 800, retryMs: 50 });
