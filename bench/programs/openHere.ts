import pino from 'pino';
import { readConfiguration } from '../../app/configuration/readConfiguration.ts';
import { openProduct } from '../../app/product/openProduct.ts';
import { connectMongo } from '../../subgraphs/platform/mongo/connectMongo.ts';

/**
 * Opens the platform and the subgraphs of the product in this process, on the marketplace's database and without a
 * server.
 */
export async function openHere() {
  const configuration = readConfiguration(process.env);
  await connectMongo({ uri: configuration.mongodbUri ?? '' });
  const log = pino({ level: 'warn' }, pino.destination({ dest: 2, sync: false }));
  return {
    configuration,
    ...(await openProduct(configuration, { log, progress: (line) => console.error(line) })),
  };
}
