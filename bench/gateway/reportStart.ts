import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { StartProgram } from '../withPrograms.ts';

const starts = 3;
const idleMs = 15_000;

/**
 * Starts the whole product, the embedded database in it, on a data folder that holds the demonstration already: a start like
 * that of any second day. Prints the time until it has answered once, and the memory that it holds when nobody asks.
 */
export async function reportStart(start: StartProgram): Promise<void> {
  const seconds: number[] = [];
  for (let round = 0; round < starts; round++) {
    const product = await start('product', 'start/main.ts', { PORT: '0', MONGODB_URI: '' });
    const begun = performance.now();
    const answer = await fetch(`${product.url}/api/v1/catalog/listings?limit=1`);
    if (answer.status !== 200)
      throw new Error(`The first answer is ${answer.status}: ${await answer.text()}`);
    await answer.json();
    seconds.push((product.startMs + performance.now() - begun) / 1000);
    if (round === starts - 1) {
      const answered = residentMiB(product.pid);
      await pause(idleMs);
      console.log(
        `\nmemory of the Node process: ${answered} MiB after the first answer, ${residentMiB(product.pid)} MiB ` +
          `${idleMs / 1000} s later (goal at most 250)`,
      );
    }
    await product.stop();
  }
  const each = seconds.map((one) => one.toFixed(2)).join(', ');
  console.log(`start to first answer, embedded database cached: ${each} s (goal at most 3)`);
}

/** Memory of a process that is really in memory, as Linux says. */
export function residentMiB(pid: number): number {
  const kiB = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kiB) / 1024);
}
