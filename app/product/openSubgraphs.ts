import type { Logger } from 'pino';
import type { Job } from '../../subgraphs/platform/jobs/Job.ts';
import { openPlatform, type PlatformOptions } from '../../subgraphs/platform/process/openPlatform.ts';
import { platformModels } from '../../subgraphs/platform/process/platformModels.ts';
import type { Subgraph } from '../../subgraphs/platform/subgraph/buildSubgraph.ts';
import type { Telemetry } from '../../subgraphs/platform/telemetry/Telemetry.ts';
import type { Configuration } from '../configuration/readConfiguration.ts';
import { askSubgraphs } from '../federation/askSubgraphs.ts';
import { openMailTransport } from '../services/openMailTransport.ts';
import { openSecrets } from '../services/openSecrets.ts';
import { openStorage } from '../services/openStorage.ts';
import { loadBuilders } from './loadBuilders.ts';
import { settleSchema } from './settleSchema.ts';

/** Subgraphs of this process, and its telemetry. */
export interface SubgraphOptions {
  readonly log: Logger;
  /** Subgraphs of this process; default: all. The others are called at their addresses. */
  readonly names?: readonly string[];
  readonly telemetry?: Telemetry | undefined;
  /** Called with one line for each step of preparing the database. */
  readonly progress: (line: string) => void;
}

/** Subgraphs that run in this process, on an open database connection. */
export interface OpenSubgraphs {
  readonly platform: Awaited<ReturnType<typeof openPlatform>>;
  /** Subgraphs by name. */
  readonly subgraphs: ReadonlyMap<string, Subgraph>;
  /** Addresses of the subgraphs of other processes, by name. */
  readonly remote: Readonly<Record<string, string>>;
  /** Jobs of these subgraphs; `openJobs` starts them. */
  readonly jobs: readonly Job[];
  /** Ends when the subgraphs are warm. Never fails. */
  readonly warmed: Promise<unknown>;
  /** Lines for the user who starts the process. */
  readonly notices: readonly string[];
  close(): Promise<void>;
}

/** Opens the platform with the named subgraphs, each through its own lifecycle. */
export async function openSubgraphs(
  configuration: Configuration,
  { log, progress, names = Object.keys(configuration.subgraphUrls), telemetry }: SubgraphOptions,
): Promise<OpenSubgraphs> {
  const builders = await loadBuilders(names);
  const subgraphs = new Map(Object.entries(builders).map(([name, build]) => [name, build()]));
  const remote = Object.fromEntries(
    Object.entries(configuration.subgraphUrls).filter(([name]) => !subgraphs.has(name)),
  );
  const all = [...subgraphs.values()];
  const models = [...platformModels, ...all.flatMap((subgraph) => subgraph.models)];
  const notices = await settleSchema(configuration, { models }, { log, progress });
  const apart = Object.keys(remote).length > 0;
  const platform = await openSharedPlatform(configuration, {
    log,
    telemetry,
    ask: askSubgraphs(subgraphs, remote),
    storage: await openStorage(configuration, { apart, log }),
  });
  for (const { open } of all) await open?.(platform);
  return {
    platform,
    subgraphs,
    remote,
    jobs: all.flatMap(({ jobs }) => jobs),
    warmed: Promise.all(all.map(async ({ warm }) => warm?.(platform))),
    notices: [...notices, ...all.flatMap(({ notices }) => notices?.(platform) ?? [])],
    async close() {
      await platform.close();
      for (const { close } of all) await close?.();
    },
  };
}

/** Opens the platform with this deployment's secrets. */
async function openSharedPlatform(
  configuration: Configuration,
  options: Pick<PlatformOptions, 'log' | 'ask' | 'storage' | 'telemetry'>,
): ReturnType<typeof openPlatform> {
  const { issuer, installationId, routerSecret, rateLimits, catalog, payments, privateAiHosts, usage } =
    configuration;
  return openPlatform({
    ...options,
    issuer,
    secrets: await openSecrets(configuration),
    installationId,
    routerSecret,
    mail: openMailTransport(configuration),
    catalog,
    payments,
    rateLimits,
    usage,
    allowPrivateIssuers: configuration.privateIssuers,
    privateAiHosts,
  });
}
