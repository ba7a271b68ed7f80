import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isDatabaseReady } from '../../subgraphs/platform/mongo/connectMongo.ts';
import type { Configuration } from '../configuration/readConfiguration.ts';
import { seedDemonstration } from '../demonstration/seedDemonstration.ts';
import { createApp } from '../http/createApp.ts';
import { type Listener, listen } from '../http/listen.ts';
import { openProduct } from '../product/openProduct.ts';
import { openDatabase } from '../services/openDatabase.ts';
import { openJobs } from '../services/openJobs.ts';
import { measuresCommands, openTelemetry } from '../telemetry/openTelemetry.ts';

/** After so long it is ready even if a large catalogue is still being read: everything else can be answered. */
const longestWarmUpMs = 10_000;

/** A running product. */
export interface RunningProduct {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts everything on one port: database, three subgraphs, router, facade; on a first start with demonstration, the
 * demonstration's data.
 *
 * @param progress told one line per step
 */
export async function startProduct(
  configuration: Configuration,
  { log, progress }: { log: Logger; progress: (line: string) => void },
): Promise<RunningProduct> {
  const opened: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const shut of opened.reverse())
      await shut().catch((error: unknown) => log.error({ err: error }, 'closing failed'));
  };
  try {
    const database = await openDatabase(
      { ...configuration, tellsCommands: measuresCommands(configuration) },
      progress,
    );
    opened.push(database.close);
    const measured = await openTelemetry(configuration, { log, role: 'product' });
    opened.push(measured.close);
    const product = await openProduct(configuration, { log, telemetry: measured.telemetry });
    opened.push(product.close);
    const router = product.routers.open();
    opened.push(router.close);
    measured.countStreams(() => product.platform.streams.count);
    for (const notice of measured.notices) progress(notice);
    progress('router: identity, seo and translation in this process');
    progress(product.platform.mail.description);
    let ready = false;
    const app = await createApp(
      { router, platform: product.platform },
      configuration,
      async () => ready && (await isDatabaseReady()),
    );
    const listener: Listener = await listen(app, configuration);
    let stopJobs: () => Promise<unknown> = async () => undefined;
    // Side by side: a job that takes its time must not take that of the requests in flight.
    opened.push(async () => {
      product.platform.streams.end();
      await Promise.all([stopJobs(), listener.drain({ leadMs: configuration.drainLeadMs })]);
    });
    const url = `${configuration.tls ? 'https' : 'http'}://localhost:${listener.port}`;
    if (configuration.demonstration)
      await seedDemonstration({ ...product, router }, configuration, { url, progress });
    stopJobs = openJobs(configuration, product.jobs, product.platform);
    await Promise.race([product.warmed, pause(longestWarmUpMs, undefined, { ref: false })]);
    ready = true;
    return {
      url,
      close: () => {
        ready = false;
        return close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
