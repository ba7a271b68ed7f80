import '../app/lifecycle/productionMode.ts';
import pino from 'pino';
import { readConfiguration } from '../app/configuration/readConfiguration.ts';
import { releasedSupergraph } from '../app/federation/openRouters.ts';
import { serveLive } from '../app/federation/serveLive.ts';
import { createApp } from '../app/http/createApp.ts';
import { listen } from '../app/http/listen.ts';
import { closeInOrder } from '../app/lifecycle/closeInOrder.ts';
import { openProduct } from '../app/product/openProduct.ts';
import { measuresCommands, openTelemetry } from '../app/telemetry/openTelemetry.ts';
import { connectMongo, isDatabaseReady } from '../subgraphs/platform/mongo/connectMongo.ts';

/** `npm run start:router`: router and facade alone; the subgraphs answer at their addresses. */
async function main(): Promise<void> {
  const configuration = readConfiguration(process.env);
  if (configuration.mongodbUri === undefined) {
    throw new Error(
      'the router shares the database of its subgraphs: set MONGODB_URI (npm run start:database prints one).',
    );
  }
  const log = pino({ level: configuration.logLevel }, pino.destination({ dest: 2, sync: false }));
  const connection = await connectMongo({
    uri: configuration.mongodbUri,
    tellsCommands: measuresCommands(configuration),
  });
  const measured = await openTelemetry(configuration, { log, role: 'router' });
  const product = await openProduct(configuration, {
    log,
    remote: configuration.subgraphUrls,
    telemetry: measured.telemetry,
  });
  measured.countStreams(() => product.platform.streams.count);
  const { platform, routers } = product;
  let ready = true;
  const live = await serveLive({
    routers,
    file: configuration.supergraph ?? releasedSupergraph,
    toApp: (router) =>
      createApp({ router, platform }, configuration, async () => ready && (await isDatabaseReady())),
    log,
  });
  const listener = await listen(live.handle, configuration);
  for (const notice of measured.notices) console.log(notice);
  closeInOrder(
    async () => {
      ready = false;
      platform.streams.end();
      await listener.drain({ leadMs: configuration.drainLeadMs });
      await live.close();
      await product.close();
      await measured.close();
      await connection.close();
    },
    { log, leadMs: configuration.drainLeadMs },
  );
  console.log(`ready ${configuration.tls ? 'https' : 'http'}://localhost:${listener.port}`);
}

main().catch((error: unknown) => {
  console.error(`cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
