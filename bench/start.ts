import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { benchmark } from './harness/benchmark.ts';
import { report } from './harness/report.ts';
import { residentMiB } from './harness/usage.ts';

/**
 * Starts the whole product with the embedded database in its own data directory: once to create the demonstration, then
 * as on any later start. Reports the time until its first response, and its memory without requests.
 */

export default benchmark({
  measures: 'time from the start of the product to its first answer, and its memory without requests',
  settings: {
    starts: { usual: 3, quick: 0, means: 'starts after the first one' },
    idleMs: { usual: 15_000, quick: 200, means: 'pause before memory is read' },
  },
  async measure({ starts, idleMs }, { start }) {
    const folder = await mkdtemp(path.join(tmpdir(), 'trigate-start-'));
    try {
      const seconds: string[] = [];
      for (let round = 0; round <= starts; round++) {
        const environment = { DATA_DIR: folder, PORT: '0', MONGODB_URI: '', DEMO_SAMPLES: 'off' };
        const product = await start('product', 'bin/main.ts', environment);
        const begun = performance.now();
        const answer = await fetch(`${product.url}/api/v1/catalog/listings?limit=1`);
        if (answer.status !== 200)
          throw new Error(`The first answer is ${answer.status}: ${await answer.text()}`);
        await answer.json();
        seconds.push(((product.startMs + performance.now() - begun) / 1000).toFixed(2));
        if (round === starts) {
          const answered = residentMiB(product.pid).toFixed(0);
          await pause(idleMs);
          const idle = `${residentMiB(product.pid).toFixed(0)} MiB ${idleMs / 1000} s later (goal at most 300)`;
          report('memory of the Node process', `${answered} MiB after the first answer, ${idle}`);
        }
        await product.stop();
      }
      const [first = '', ...later] = seconds;
      report('first start, which creates the demonstration', `${first} s`);
      if (later.length > 0)
        report('start to first answer, database cached', `${later.join(', ')} s (goal at most 4)`);
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  },
});
