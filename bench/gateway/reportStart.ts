import { setTimeout as pause } from 'node:timers/promises';
import { report } from '../harness/report.ts';
import { residentMiB } from '../harness/usage.ts';
import type { StartProgram } from '../harness/withPrograms.ts';

/**
 * Starts the whole product, the embedded database in it, on a data folder that holds the demonstration already: a start like
 * that of any second day. Reports the time until it has answered once, and the memory that it holds when nobody asks.
 */
export async function reportStart(
  start: StartProgram,
  { starts, idleMs }: { starts: number; idleMs: number },
): Promise<void> {
  const seconds: string[] = [];
  for (let round = 0; round < starts; round++) {
    const product = await start('product', 'start/main.ts', { PORT: '0', MONGODB_URI: '' });
    const begun = performance.now();
    const answer = await fetch(`${product.url}/api/v1/catalog/listings?limit=1`);
    if (answer.status !== 200)
      throw new Error(`The first answer is ${answer.status}: ${await answer.text()}`);
    await answer.json();
    seconds.push(((product.startMs + performance.now() - begun) / 1000).toFixed(2));
    if (round === starts - 1) {
      const answered = residentMiB(product.pid).toFixed(0);
      await pause(idleMs);
      const idle = `${residentMiB(product.pid).toFixed(0)} MiB ${idleMs / 1000} s later (goal at most 300)`;
      report('memory of the Node process', `${answered} MiB after the first answer, ${idle}`);
    }
    await product.stop();
  }
  report('start to first answer, database cached', `${seconds.join(', ')} s (goal at most 4)`);
}
