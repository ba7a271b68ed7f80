import pino from 'pino';
import { readConfiguration } from '../configuration/readConfiguration.ts';
import { closeInOrder } from './closeInOrder.ts';
import { startProduct } from './startProduct.ts';

const configuration = readConfigurationOrExit();
const log = pino({ level: configuration.logLevel }, pino.destination({ dest: 2, sync: false }));
const progress = (line: string): void => console.log(line);

/** Set before anything is started, so that a signal during the start ends what has begun. */
const started = startProduct(configuration, { log, progress });
closeInOrder(
  async () => {
    const product = await started.catch(() => null);
    await product?.close();
  },
  { log, leadMs: configuration.drainLeadMs },
);

try {
  const { url } = await started;
  progress(`ready ${url}`);
} catch (error) {
  fail(error);
}

function readConfigurationOrExit() {
  try {
    return readConfiguration(process.env);
  } catch (error) {
    return fail(error);
  }
}

/** One line for people, no stack: what is wrong and what to do. */
function fail(error: unknown): never {
  console.error(`cannot start: ${error instanceof Error ? error.message : String(error)}`);
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  process.exit(1);
}
