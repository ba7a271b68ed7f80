import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createRouter, type Router, type RouterOptions } from '../../router/createRouter.ts';
import { deadlineTransport } from '../../router/deadlineTransport.ts';
import { IsolatedPlanner } from '../../router/execution/planner/IsolatedPlanner.ts';
import { noPlanner, type Planner } from '../../router/execution/planner/Planner.ts';
import { maskingTransport } from '../../router/maskingTransport.ts';
import { observingTransport } from '../../router/observingTransport.ts';
import { type FindPlan, readStoredPlans, withStoredPlans } from '../../router/operations/storedPlans.ts';
import { createLocalTransport } from '../../router/transport/localTransport.ts';
import type { Transport } from '../../router/transport/Transport.ts';
import { ConcurrencyLimit } from '../../subgraphs/platform/concurrency/ConcurrencyLimit.ts';
import type { Platform } from '../../subgraphs/platform/context/Platform.ts';
import type { Subgraph } from '../../subgraphs/platform/subgraph/buildSubgraph.ts';
import type { Configuration } from '../configuration/readConfiguration.ts';
import { type RemoteLimits, remoteTransport } from './remoteTransport.ts';

/** The supergraph of this release. */
export const releasedSupergraph = fileURLToPath(new URL('../../schema/supergraph.graphql', import.meta.url));

/** Plans of the release. */
export const releasedPlans = fileURLToPath(new URL('../../schema/plans.json', import.meta.url));

/** Subgraphs of a router: in this process, or at an address. */
export interface Whereabouts {
  local: ReadonlyMap<string, Subgraph>;
  remote?: Readonly<Record<string, string>>;
  platform: Platform;
  /** Other limits than the product's, for tests. */
  limits?: RouterLimits;
}

/** Timeouts of calls to subgraphs. */
export interface RouterLimits extends Pick<RouterOptions, 'requestTimeoutMs'> {
  subgraphs?: RemoteLimits;
}

/** Routers of the same subgraphs. Each serves its own supergraph, and all share the same connections. */
export interface Routers {
  /**
   * Opens a router.
   *
   * @param supergraphSdl that of the release by default
   * @throws Error if one of its subgraphs is missing, or it is invalid
   */
  open(supergraphSdl?: string): Router;
  /** Closes the connections when no router needs them. */
  close(): Promise<void>;
}

type RouterSettings = Pick<Configuration, 'jit' | 'introspection' | 'trustedProxies' | 'concurrency'> &
  Partial<Pick<Configuration, 'plans' | 'nativePlanner'>>;

export function openRouters(
  settings: RouterSettings,
  { local, remote = {}, platform, limits = {} }: Whereabouts,
): Routers {
  const { jit, introspection, trustedProxies, concurrency } = settings;
  const opened: Record<string, Transport> = {};
  for (const [name, url] of Object.entries(remote))
    opened[name] = observe(remoteTransport(name, url, platform, limits.subgraphs), name, platform);
  for (const [name, subgraph] of local)
    opened[name] = observe(localTransport(subgraph, platform, jit), name, platform);
  const transports = Object.fromEntries(
    Object.entries(opened).map(([name, transport]) => [name, withoutClose(transport)]),
  );
  const limit = new ConcurrencyLimit(concurrency);
  return {
    open(supergraphSdl = readFileSync(releasedSupergraph, 'utf8')) {
      return createRouter({
        supergraphSdl,
        planner: openPlanner(settings, supergraphSdl, platform),
        transports,
        jit,
        introspection,
        limit,
        requestTimeoutMs: limits.requestTimeoutMs,
        platform,
        trustedProxies,
      });
    },
    async close() {
      for (const transport of Object.values(opened)) await transport.close?.();
    },
  };
}

/** Returns a planner with prepared plans; other operations are planned in a separate process. */
function openPlanner(
  { plans, nativePlanner = true }: RouterSettings,
  supergraphSdl: string,
  platform: Platform,
): Planner {
  const planner = nativePlanner ? new IsolatedPlanner({ supergraphSdl }) : noPlanner;
  const find = findPlans(plans, supergraphSdl, platform);
  return find === null ? planner : withStoredPlans(find, planner);
}

/** Finds the plans. They are read again for each supergraph, because a new supergraph may have new plans. */
function findPlans(stated: string | undefined, supergraphSdl: string, { log }: Platform): FindPlan | null {
  if (stated === undefined && !existsSync(releasedPlans)) return null;
  const found = readStoredPlans(stated ?? releasedPlans, supergraphSdl);
  // Plans of the release do not match another supergraph.
  if (found === null && stated !== undefined)
    log.warn({ file: stated }, 'plans of another supergraph are ignored');
  return found;
}

/** Returns the transport without `close`, because a closed router must not close the connections of the next one. */
function withoutClose({ close: _close, ...transport }: Transport): Transport {
  return transport;
}

/** Wraps a transport only if it is measured. */
function observe(transport: Transport, name: string, { telemetry }: Platform): Transport {
  return telemetry ? observingTransport(transport, name, telemetry) : transport;
}

function localTransport({ name, schema }: Subgraph, { log }: Platform, jit: boolean): Transport {
  return deadlineTransport(maskingTransport(createLocalTransport(schema, { jit }), log), name);
}
