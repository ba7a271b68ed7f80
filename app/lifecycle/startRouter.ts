import { isDatabaseReady } from '../../subgraphs/platform/mongo/connectMongo.ts';
import type { Configuration } from '../configuration/readConfiguration.ts';
import { releasedSupergraph } from '../federation/openRouters.ts';
import { serveLive } from '../federation/serveLive.ts';
import { createApp } from '../http/createApp.ts';
import { baseUrlOf, listen } from '../http/listen.ts';
import { openProduct } from '../product/openProduct.ts';
import { openSharedDatabase } from '../services/openDatabase.ts';
import { openTelemetry } from '../telemetry/openTelemetry.ts';
import { openInOrder } from './openInOrder.ts';
import type { Reporting, RunningProcess } from './runProcess.ts';

/** Starts router and facade alone; the subgraphs are reached at their URLs. */
export function startRouter(
  configuration: Configuration,
  { log, progress }: Reporting,
): Promise<RunningProcess> {
  return openInOrder(log, async (keep) => {
    keep(await openSharedDatabase(configuration, 'the router'));
    const measured = keep(await openTelemetry(configuration, { log, role: 'router' }));
    const product = keep(
      await openProduct(configuration, { log, progress, names: [], telemetry: measured.telemetry }),
    );
    const { platform, routers } = product;
    measured.countStreams(() => platform.streams.count);
    let ready = true;
    const live = keep(
      await serveLive({
        routers,
        file: configuration.supergraph ?? releasedSupergraph,
        toApp: (router) =>
          createApp({ router, platform }, configuration, async () => ready && (await isDatabaseReady())),
        log,
      }),
    );
    const listener = await listen(live.handle, { ...configuration, sockets: live.sockets });
    keep({
      async close() {
        ready = false;
        platform.streams.end();
        await listener.drain({ leadMs: configuration.drainLeadMs });
      },
    });
    for (const notice of measured.notices) progress(notice);
    return { ready: baseUrlOf(listener, configuration) };
  });
}
