import type { Logger } from 'pino';
import type { Router } from '../../router/createRouter.ts';
import { warmCatalog } from '../../subgraphs/identity/listings/catalog/columns/warmCatalog.ts';
import { startSigning } from '../../subgraphs/identity/people/signing-key/startSigning.ts';
import { buildIdentity } from '../../subgraphs/identity/server.ts';
import { openPlatform, type PlatformOptions } from '../../subgraphs/platform/context/openPlatform.ts';
import { platformModels } from '../../subgraphs/platform/context/platformModels.ts';
import type { Job } from '../../subgraphs/platform/jobs/Job.ts';
import { syncIndexes } from '../../subgraphs/platform/mongo/syncIndexes.ts';
import { createSecrets } from '../../subgraphs/platform/secrets/deriveSecret.ts';
import { readRootSecret } from '../../subgraphs/platform/secrets/readRootSecret.ts';
import { readSigningKeys } from '../../subgraphs/platform/secrets/readSigningKeys.ts';
import type { Subgraph } from '../../subgraphs/platform/subgraph/buildSubgraph.ts';
import type { Telemetry } from '../../subgraphs/platform/telemetry/Telemetry.ts';
import { warmAnalysis } from '../../subgraphs/seo/analysis/warmAnalysis.ts';
import { buildSeo } from '../../subgraphs/seo/server.ts';
import { buildTranslation } from '../../subgraphs/translation/server.ts';
import type { Configuration } from '../configuration/readConfiguration.ts';
import { askSubgraphs } from '../federation/askSubgraphs.ts';
import { openRouters, type Routers } from '../federation/openRouters.ts';
import { openMailTransport } from '../services/openMailTransport.ts';
import { openStorage } from '../services/openStorage.ts';

/** The subgraphs of the product, by the name that `supergraph.yaml` gives them. */
export const subgraphBuilders = {
  identity: buildIdentity,
  seo: buildSeo,
  translation: buildTranslation,
} as const satisfies Readonly<Record<string, () => Subgraph>>;

/** Name of a subgraph of the product. */
export type SubgraphName = keyof typeof subgraphBuilders;

/** Everything of the product that runs in this process, on an open database connection. */
export interface Product {
  platform: Awaited<ReturnType<typeof openPlatform>>;
  /** The subgraphs of this process, by name. */
  subgraphs: ReadonlyMap<string, Subgraph>;
  routers: Routers;
  /** Jobs of the subgraphs of this process; whoever opens the product starts them. */
  jobs: readonly Job[];
  /** Ends when the catalogues are in memory: until then whoever searches them is told to come back. Never fails. */
  warmed: Promise<void>;
  close(): Promise<void>;
}

/** A product with the router that it is asked through. */
export interface RoutedProduct extends Product {
  router: Router;
}

/**
 * Opens the platform with all three subgraphs in this process, or with those named in `remote` behind their
 * addresses.
 */
export async function openProduct(
  configuration: Configuration,
  {
    log,
    remote = {},
    telemetry,
  }: {
    log: Logger;
    remote?: Partial<Record<SubgraphName, string>>;
    telemetry?: Telemetry | undefined;
  },
): Promise<Product> {
  const local = new Map<string, Subgraph>();
  for (const [name, build] of Object.entries(subgraphBuilders))
    if (!(name in remote)) local.set(name, build());
  await syncIndexes([...platformModels, ...[...local.values()].flatMap(({ models }) => models)]);
  const platform = await openSharedPlatform(configuration, {
    log,
    telemetry,
    ask: askSubgraphs(local, remote),
    storage: await openStorage(configuration, {
      apart: local.size < Object.keys(subgraphBuilders).length,
      log,
    }),
  });
  const hasIdentity = local.has('identity');
  if (hasIdentity) await startSigning(platform);
  const warmed = hasIdentity ? warmCatalog(platform) : Promise.resolve();
  if (local.has('seo')) void warmAnalysis(platform);
  const routers = openRouters(configuration, { local, remote, platform });
  return {
    platform,
    subgraphs: local,
    routers,
    jobs: [...local.values()].flatMap((subgraph) => subgraph.jobs),
    warmed,
    async close() {
      await routers.close();
      await platform.close();
    },
  };
}

/** The platform with this deployment's secrets. */
export async function openSharedPlatform(
  configuration: Configuration,
  options: Pick<PlatformOptions, 'log' | 'ask' | 'storage' | 'telemetry'>,
): ReturnType<typeof openPlatform> {
  const { issuer, installationId, routerSecret, rateLimits, signingKeyFile } = configuration;
  const secrets = createSecrets(readRootSecret(configuration), readSigningKeys(signingKeyFile));
  const mail = openMailTransport(configuration);
  const { privateIssuers: allowPrivateIssuers, privateAiHosts, payments } = configuration;
  return openPlatform({
    ...options,
    issuer,
    secrets,
    installationId,
    routerSecret,
    mail,
    payments,
    rateLimits,
    allowPrivateIssuers,
    privateAiHosts,
  });
}
