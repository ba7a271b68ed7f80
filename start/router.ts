import './productionMode.ts';
import pino from 'pino';
import { connectMongo, isConnected } from '../subgraphs/platform/mongo/connectMongo.ts';
import { closeInOrder } from './closeInOrder.ts';
import { createApp } from './createApp.ts';
import { listen } from './listen.ts';
import { openProduct } from './openProduct.ts';
import { readConfiguration } from './readConfiguration.ts';
import { subgraphUrl } from './subgraphUrls.ts';

/** `npm run start:router`: router and facade alone; the subgraphs answer at their addresses. */
async function main(): Promise<void> {
  const configuration = readConfiguration(process.env);
  if (configuration.mongodbUri === undefined) {
    throw new Error(
      'the router shares the database of its subgraphs: set MONGODB_URI (npm run start:database prints one).',
    );
  }
  const log = pino({ level: configuration.logLevel }, pino.destination({ dest: 2, sync: false }));
  const connection = await connectMongo({ uri: configuration.mongodbUri });
  const remote = {
    identity: subgraphUrl('identity'),
    seo: subgraphUrl('seo'),
    translation: subgraphUrl('translation'),
  };
  const product = await openProduct(configuration, { log, remote });
  let ready = true;
  const listener = await listen(
    createApp(product, configuration, () => ready && isConnected()),
    configuration,
  );
  closeInOrder(async () => {
    ready = false;
    product.platform.streams.end();
    await listener.drain();
    await product.close();
    await connection.close();
  }, log);
  console.log(`ready http://localhost:${listener.port}`);
}

main().catch((error: unknown) => {
  console.error(`cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
