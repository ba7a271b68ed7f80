import '../app/lifecycle/productionMode.ts';
import pino from 'pino';
import { isLoopback } from '../app/configuration/http.ts';
import { readConfiguration } from '../app/configuration/readConfiguration.ts';
import { listen } from '../app/http/listen.ts';
import { closeInOrder } from '../app/lifecycle/closeInOrder.ts';
import { createSigner } from '../router/signer/createSigner.ts';
import { contextKey } from '../subgraphs/platform/context/openPlatform.ts';
import { openInstallations } from '../subgraphs/platform/installation/Installations.ts';
import { connectMongo, isDatabaseReady } from '../subgraphs/platform/mongo/connectMongo.ts';
import { createSecrets } from '../subgraphs/platform/secrets/deriveSecret.ts';
import { readRootSecret } from '../subgraphs/platform/secrets/readRootSecret.ts';

/** `npm run start:signer`: what an engine of others asks in the subgraphs' place; it signs, and hands on. */
async function main(): Promise<void> {
  const configuration = readConfiguration(process.env);
  const { mongodbUri, signerKey: key, host, installationId, routerSecret } = configuration;
  if (mongodbUri === undefined) {
    throw new Error(
      'the signer shares the database of its subgraphs: set MONGODB_URI (npm run start:database prints one).',
    );
  }
  if (key === undefined && !isLoopback(host)) {
    throw new Error(
      'whoever reaches the signer is taken for a router: set SIGNER_KEY, and let the engine send it.',
    );
  }
  const log = pino({ level: configuration.logLevel }, pino.destination({ dest: 2, sync: false }));
  const secrets = createSecrets(readRootSecret(configuration));
  const connection = await connectMongo({ uri: mongodbUri });
  const installations = await openInstallations({ fixedId: installationId });
  let ready = true;
  const signer = createSigner({
    platform: { contextKey: contextKey({ routerSecret, secrets }), installations, log, now: Date.now },
    subgraphs: new Map(Object.entries(configuration.subgraphUrls)),
    key,
    trustedProxies: configuration.trustedProxies,
    isReady: async () => ready && (await isDatabaseReady()),
  });
  const listener = await listen(signer.handle, configuration);
  closeInOrder(
    async () => {
      ready = false;
      await listener.drain({ leadMs: configuration.drainLeadMs });
      await signer.close();
      installations.close();
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
