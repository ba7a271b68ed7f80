import type { Logger } from 'pino';
import { watchEvents } from '../subgraphs/platform/events/watchEvents.ts';
import { ringForJobs } from '../subgraphs/platform/jobs/Bell.ts';
import { startJobs } from '../subgraphs/platform/jobs/startJobs.ts';
import { isConnected } from '../subgraphs/platform/mongo/connectMongo.ts';
import { createApp } from './createApp.ts';
import { seedDemonstration } from './demonstration/seedDemonstration.ts';
import { type Listener, listen } from './listen.ts';
import { openDatabase } from './openDatabase.ts';
import { openProduct } from './openProduct.ts';
import type { Configuration } from './readConfiguration.ts';

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
    const database = await openDatabase(configuration, progress);
    opened.push(database.close);
    const product = await openProduct(configuration, { log });
    opened.push(product.close);
    progress('router: identity, seo and translation in this process');
    progress(product.platform.mail.description);
    let ready = false;
    const app = createApp(product, configuration, () => ready && isConnected());
    const listener: Listener = await listen(app, configuration);
    opened.push(() => {
      product.platform.streams.end();
      return listener.drain();
    });
    const url = `http://localhost:${listener.port}`;
    if (configuration.demonstration) await seedDemonstration(product, configuration, { url, progress });
    if (configuration.jobs)
      opened.push(startJobs(product.jobs, product.platform).close, watchEvents(product.platform));
    else opened.push(ringForJobs(product.jobs, product.platform).close);
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
