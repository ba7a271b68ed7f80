import pino from 'pino';
import { createRequestHandler } from '../router/standalone/createRequestHandler.ts';
import { openStandalone } from '../router/standalone/openStandalone.ts';
import { readOptions, usage } from '../router/standalone/readOptions.ts';
import { EventStreams } from '../subgraphs/platform/http/EventStreams.ts';
import { closeInOrder } from './closeInOrder.ts';
import { listen } from './listen.ts';

/** `npm run router -- --supergraph FILE --port N`: a router of any supergraph, with nothing of the product in it. */
async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help')) {
    console.log(usage);
    return;
  }
  const options = readOptions(args);
  const log = pino({ level: process.env.LOG_LEVEL ?? 'info' }, pino.destination({ dest: 2, sync: false }));
  const standalone = await openStandalone(options, log);
  const streams = new EventStreams();
  let ready = true;
  const handle = createRequestHandler({ standalone, streams, options, log, isReady: () => ready });
  const listener = await listen(handle, options).catch(async (error: unknown) => {
    await standalone.close();
    throw error;
  });
  closeInOrder(
    async () => {
      ready = false;
      streams.end();
      await listener.drain();
      await standalone.close();
    },
    { log },
  );
  console.log(`ready http://localhost:${listener.port}`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
