import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Runs the product with a server that collects garbage and returns the remaining memory: `process.memoryUsage()` as
 * JSON. It prints `weight <address>` before the product starts.
 */
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const server = createServer((_request, response) => {
  void (async () => {
    // Finalizers run between two collections, and what they release is collected in the next one.
    for (let round = 0; round < 3; round++) {
      collect();
      await pause(50);
    }
    response.end(JSON.stringify(process.memoryUsage()));
  })();
});
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
server.unref();
console.log(`weight http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
await import('../../bin/main.ts');
