import { isDatabaseReady } from '../../subgraphs/platform/mongo/connectMongo.ts';
import type { Configuration } from '../configuration/readConfiguration.ts';
import { openSamples } from '../demonstration/openSamples.ts';
import { seedDemonstration } from '../demonstration/seedDemonstration.ts';
import { createApp } from '../http/createApp.ts';
import { describeOrigins } from '../http/describeOrigins.ts';
import { baseUrlOf, listen } from '../http/listen.ts';
import { openProduct } from '../product/openProduct.ts';
import { openDatabase } from '../services/openDatabase.ts';
import { openJobs } from '../services/openJobs.ts';
import { measuresCommands, openTelemetry } from '../telemetry/openTelemetry.ts';
import { openInOrder } from './openInOrder.ts';
import type { Reporting, RunningProcess } from './runProcess.ts';
import { untilWarm } from './untilWarm.ts';

/**
 * Starts everything on one port: database, all subgraphs, router, facade; on a first start with demonstration, the
 * demonstration's data.
 */
export function startProduct(
  configuration: Configuration,
  { log, progress }: Reporting,
): Promise<RunningProcess> {
  return openInOrder(log, async (keep) => {
    keep(await openDatabase({ ...configuration, tellsCommands: measuresCommands(configuration) }, progress));
    const measured = keep(await openTelemetry(configuration, { log, role: 'product' }));
    const product = keep(await openProduct(configuration, { log, progress, telemetry: measured.telemetry }));
    const { platform, subgraphs } = product;
    const router = keep(product.routers.open());
    measured.countStreams(() => platform.streams.count);
    const names = new Intl.ListFormat('en-GB').format(subgraphs.keys());
    for (const line of [
      ...measured.notices,
      `router: ${names} in this process`,
      ...product.notices,
      ...describeOrigins(configuration),
    ])
      progress(line);
    let ready = false;
    const app = await createApp(
      { router, platform },
      configuration,
      async () => ready && (await isDatabaseReady()),
    );
    const listener = await listen(app.handle, { ...configuration, sockets: app.sockets });
    let stopJobs: () => Promise<unknown> = async () => undefined;
    let stopSamples: () => Promise<unknown> = async () => undefined;
    keep({
      async close() {
        ready = false;
        platform.streams.end();
        // Concurrently, because a slow job must not use up the time of the requests in flight.
        await Promise.all([stopJobs(), stopSamples(), listener.drain({ leadMs: configuration.drainLeadMs })]);
      },
    });
    const url = baseUrlOf(listener, configuration);
    if (configuration.demonstration)
      await seedDemonstration({ ...product, router }, configuration, { url, progress });
    stopJobs = openJobs(configuration, product.jobs, platform);
    await untilWarm(product.warmed);
    ready = true;
    if (configuration.demonstration && configuration.demonstrationSamples)
      stopSamples = openSamples({ ...product, router }, progress);
    return { ready: url };
  });
}
