import { createSigner } from '../../router/signer/createSigner.ts';
import { openInstallations } from '../../subgraphs/platform/installation/Installations.ts';
import { isDatabaseReady } from '../../subgraphs/platform/mongo/connectMongo.ts';
import { contextKey } from '../../subgraphs/platform/process/openPlatform.ts';
import { createSecrets } from '../../subgraphs/platform/secrets/deriveSecret.ts';
import { readRootSecret } from '../../subgraphs/platform/secrets/readRootSecret.ts';
import { isLoopback } from '../configuration/http.ts';
import type { Configuration } from '../configuration/readConfiguration.ts';
import { baseUrlOf, listen } from '../http/listen.ts';
import { openSharedDatabase } from '../services/openDatabase.ts';
import { openInOrder } from './openInOrder.ts';
import type { Reporting, RunningProcess } from './runProcess.ts';

/** Starts the signer, which another engine calls instead of the subgraphs: it signs requests and forwards them. */
export function startSigner(configuration: Configuration, { log }: Reporting): Promise<RunningProcess> {
  const { signerKey: key, host, installationId, routerSecret, trustedProxies } = configuration;
  return openInOrder(log, async (keep) => {
    if (configuration.mongodbUri !== undefined && key === undefined && !isLoopback(host))
      throw new Error(
        'a client that can reach the signer can act as the router. Set SIGNER_KEY and configure the engine to send it.',
      );
    keep(await openSharedDatabase(configuration, 'the signer'));
    const secrets = createSecrets(readRootSecret(configuration));
    const installations = await openInstallations({ fixedId: installationId });
    keep({ close: async () => installations.close() });
    let ready = true;
    const signer = keep(
      createSigner({
        platform: { contextKey: contextKey({ routerSecret, secrets }), installations, log, now: Date.now },
        subgraphs: new Map(Object.entries(configuration.subgraphUrls)),
        key,
        trustedProxies,
        isReady: async () => ready && (await isDatabaseReady()),
      }),
    );
    const listener = await listen(signer.handle, configuration);
    keep({
      async close() {
        ready = false;
        await listener.drain({ leadMs: configuration.drainLeadMs });
      },
    });
    return { ready: baseUrlOf(listener, configuration) };
  });
}
