import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { benchmark } from './harness/benchmark.ts';
import { mixedLoad } from './harness/mixedLoad.ts';
import { report } from './harness/report.ts';
import { send } from './harness/send.ts';
import { residentMiB } from './harness/usage.ts';

/**
 * Measures the resident memory of the product in one process without collecting garbage: after its start, during a
 * minute of mixed load, and after a time without requests.
 */

const connections = 12;
/** Maximum resident memory in MiB that counts as small. */
const goalMiB = 300;

export default benchmark({
  measures: 'resident memory of one process after its start, a minute of mixed load, and a time at rest',
  settings: {
    seconds: { usual: 60, quick: 0.5, means: 'seconds of mixed load' },
    rest: { usual: 60, quick: 0.5, means: 'seconds at rest afterwards' },
  },
  async measure({ seconds, rest }, { openMarketplace }) {
    const marketplace = await openMarketplace();
    // The process that created the data of the demonstration is larger.
    const product = await marketplace.restart();
    const caller = marketplace.signIn('dealer', product);
    await caller.authorization();
    const show = (when: string, mib: number): void =>
      report(`resident ${when}`, `${mib.toFixed(0)} MiB (goal at most ${goalMiB})`);
    show('after the start', residentMiB(product.pid));
    const requestOf = mixedLoad(marketplace.listingId, caller);
    const pool = new Pool(product.url, { connections });
    const begun = performance.now();
    const samples: number[] = [];
    let sent = 0;
    const worker = async (): Promise<void> => {
      while (performance.now() - begun < seconds * 1000) {
        const { load, status: expected } = requestOf(sent++);
        const { status, text } = await send(pool, load);
        if (status !== expected)
          throw new Error(`${load.method} ${load.path} answered ${status}: ${text.slice(0, 500)}`);
        if (sent % 100 === 0) samples.push(residentMiB(product.pid));
      }
    };
    await Promise.all(Array.from({ length: connections }, worker));
    report('requests', String(sent));
    show('during the load, at most', Math.max(...samples, residentMiB(product.pid)));
    show('after the load', residentMiB(product.pid));
    await pool.close();
    await pause(rest * 1000);
    show('at rest', residentMiB(product.pid));
  },
});
