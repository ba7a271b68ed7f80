import { isDatabaseReady } from '../../subgraphs/platform/mongo/connectMongo.ts';
import type { Subgraph } from '../../subgraphs/platform/subgraph/buildSubgraph.ts';
import { serveSubgraph } from '../../subgraphs/platform/subgraph/serveSubgraph.ts';
import type { Configuration } from '../configuration/readConfiguration.ts';
import { compileDocuments } from '../federation/compileDocuments.ts';
import { openSubgraphs } from '../product/openSubgraphs.ts';
import { openSharedDatabase } from '../services/openDatabase.ts';
import { openJobs } from '../services/openJobs.ts';
import { openTelemetry } from '../telemetry/openTelemetry.ts';
import { openInOrder } from './openInOrder.ts';
import type { Reporting, RunningProcess } from './runProcess.ts';
import { untilWarm } from './untilWarm.ts';

/** Starts one subgraph alone, for a router in another process. */
export function startSubgraph(
  name: string,
  configuration: Configuration,
  { log, progress }: Reporting,
): Promise<RunningProcess> {
  return openInOrder(log, async (keep) => {
    const address = configuration.subgraphUrls[name];
    if (address === undefined) {
      const names = Object.keys(configuration.subgraphUrls).join(', ');
      throw new Error(`pass the name of a subgraph (${names}), such as: npm run start:subgraph -- seo`);
    }
    keep(await openSharedDatabase(configuration, 'a subgraph that runs alone'));
    const measured = keep(await openTelemetry(configuration, { log, role: name }));
    const opened = keep(
      await openSubgraphs(configuration, { log, progress, names: [name], telemetry: measured.telemetry }),
    );
    const { platform, notices, subgraphs } = opened;
    const [subgraph] = [...subgraphs.values()] as [Subgraph];
    measured.countStreams(() => platform.streams.count);
    let isWarm = false;
    const served = await serveSubgraph(subgraph, {
      platform,
      prepare: compileDocuments(subgraph.schema, configuration.jit),
      ...(configuration.subgraphListen ?? placeOf(address)),
      keepAliveMs: configuration.keepAliveMs,
      drainLeadMs: configuration.drainLeadMs,
      isReady: async () => isWarm && (await isDatabaseReady()),
    });
    const stopJobs = openJobs(configuration, opened.jobs, platform);
    keep({ close: () => Promise.all([stopJobs(), served.close()]) });
    for (const notice of [...measured.notices, ...notices]) progress(notice);
    // A process of identity has to read the catalogue before it can search.
    await untilWarm(opened.warmed);
    isWarm = true;
    return { ready: `${served.url} (${name})` };
  });
}

/**
 * Returns the listening address of a subgraph: that of its routing URL, regardless of `HOST`, unless that is the
 * address of a load balancer.
 */
function placeOf(url: string): { port: number; host: string } {
  const { port, hostname } = new URL(url);
  return { port: Number(port), host: hostname };
}
