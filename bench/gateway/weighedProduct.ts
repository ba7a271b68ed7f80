import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * The product, and beside it a server on `WEIGHT_PORT` that collects garbage and answers what is left: `process.memoryUsage()`
 * as JSON.
 */
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const server = createServer((_request, response) => {
  void (async () => {
    // Finalizers run between two collections, and what they let go is gone after the next one.
    for (let round = 0; round < 3; round++) {
      collect();
      await pause(50);
    }
    response.end(JSON.stringify(process.memoryUsage()));
  })();
});
server.listen(Number(process.env.WEIGHT_PORT), '127.0.0.1').unref();
await import('../../start/main.ts');
