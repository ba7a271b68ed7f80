import '../app/lifecycle/productionMode.ts';
import pino from 'pino';
import { type Configuration, readConfiguration } from '../app/configuration/readConfiguration.ts';
import { askSubgraphs } from '../app/federation/askSubgraphs.ts';
import { compileDocuments } from '../app/federation/compileDocuments.ts';
import { closeInOrder } from '../app/lifecycle/closeInOrder.ts';
import { openSharedPlatform, type SubgraphName, subgraphBuilders } from '../app/product/openProduct.ts';
import { openJobs } from '../app/services/openJobs.ts';
import { openStorage } from '../app/services/openStorage.ts';
import { measuresCommands, openTelemetry } from '../app/telemetry/openTelemetry.ts';
import { warmCatalog } from '../subgraphs/identity/listings/catalog/columns/warmCatalog.ts';
import { startSigning } from '../subgraphs/identity/people/signing-key/startSigning.ts';
import { platformModels } from '../subgraphs/platform/context/platformModels.ts';
import { connectMongo, isDatabaseReady } from '../subgraphs/platform/mongo/connectMongo.ts';
import { syncIndexes } from '../subgraphs/platform/mongo/syncIndexes.ts';
import { serveSubgraph } from '../subgraphs/platform/subgraph/serveSubgraph.ts';
import { warmAnalysis } from '../subgraphs/seo/analysis/warmAnalysis.ts';

/** `npm run start:subgraph -- <name>`: one subgraph alone, for a router in another process. */
async function main(name: string | undefined): Promise<void> {
  if (!name || !Object.hasOwn(subgraphBuilders, name)) {
    throw new Error(
      `name one of ${Object.keys(subgraphBuilders).join(', ')}, as in: npm run start:subgraph -- seo`,
    );
  }
  const configuration = readConfiguration(process.env);
  const { port, host } = configuration.subgraphListen ?? addressOf(configuration.subgraphUrls[name] ?? '');
  const log = pino({ level: configuration.logLevel }, pino.destination({ dest: 2, sync: false }));
  const connection = await connect(configuration);
  const subgraph = subgraphBuilders[name as SubgraphName]();
  await syncIndexes([...platformModels, ...subgraph.models]);
  const measured = await openTelemetry(configuration, { log, role: name });
  const platform = await openSharedPlatform(configuration, {
    log,
    telemetry: measured.telemetry,
    ask: askSubgraphs(new Map([[name, subgraph]]), configuration.subgraphUrls),
    storage: await openStorage(configuration, { apart: true, log }),
  });
  if (name === 'identity') {
    await startSigning(platform);
    void warmCatalog(platform);
  }
  if (name === 'seo') void warmAnalysis(platform);
  measured.countStreams(() => platform.streams.count);
  const served = await serveSubgraph(subgraph, {
    platform,
    prepare: compileDocuments(subgraph.schema, configuration.jit),
    port,
    host,
    drainLeadMs: configuration.drainLeadMs,
    isReady: isDatabaseReady,
  });
  const stopJobs = openJobs(configuration, subgraph.jobs, platform);
  closeInOrder(
    async () => {
      await Promise.all([stopJobs(), served.close()]);
      await platform.close();
      await measured.close();
      await connection.close();
    },
    { log, leadMs: configuration.drainLeadMs },
  );
  for (const notice of measured.notices) console.log(notice);
  if (name === 'identity') console.log(platform.mail.description);
  console.log(`ready ${served.url} (${name})`);
}

function connect(configuration: Configuration): ReturnType<typeof connectMongo> {
  const { mongodbUri: uri } = configuration;
  if (uri === undefined) {
    throw new Error(
      'a subgraph that runs alone shares its database: set MONGODB_URI (npm run start:database prints one).',
    );
  }
  return connectMongo({ uri, tellsCommands: measuresCommands(configuration) });
}

/** It listens where its router looks for it, unless that is the address of a balancer; whatever HOST says. */
function addressOf(url: string): { port: number; host: string } {
  const { port, hostname } = new URL(url);
  return { port: Number(port), host: hostname };
}

main(process.argv[2]).catch((error: unknown) => {
  console.error(`cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
