import { Pool } from 'undici';
import { benchmark } from './harness/benchmark.ts';
import { distinctLoad, mixedLoad } from './harness/mixedLoad.ts';
import { report } from './harness/report.ts';
import { send } from './harness/send.ts';

/**
 * Measures memory after very many requests: reads by REST, operations with new texts (so that all caches of operations
 * are replaced repeatedly), one repeated operation, refused requests, and writes. Garbage is collected at several
 * points, and the remaining memory is printed. `--load distinct` sends only operations with new texts, two of three as
 * large as the document limits allow.
 */

const connections = 12;
/** Maximum growth of the heap, in percent, over the second half of the run that still counts as constant. */
const goalPercent = 5;

interface Weight {
  heapUsed: number;
  external: number;
  rss: number;
}

export default benchmark({
  measures: 'memory left after many requests of every kind, one process, garbage collected at several points',
  settings: {
    load: {
      usual: 'mixed',
      quick: 'mixed',
      means: '"mixed", or "distinct": every request is a new operation',
    },
    requests: { usual: 50_000, quick: 500, means: 'requests in all' },
    points: { usual: 10, quick: 2, means: 'points at which garbage is collected, an even number' },
  },
  async measure({ load: kind, requests: total, points }, { openMarketplace }) {
    const { product, caller, listingId } = await openMarketplace();
    const weightUrl = /^weight (\S+)/m.exec(product.printed)?.[1] ?? '';
    const pool = new Pool(product.url, { connections });
    const requestNumber =
      kind === 'distinct' ? distinctLoad(listingId, caller) : mixedLoad(listingId, caller);
    const weights: Weight[] = [await weigh(weightUrl)];
    describeWeight(0, weights[0] as Weight);
    let sent = 0;
    for (let point = 1; point <= points; point++) {
      const until = Math.round((total / points) * point);
      const worker = async (): Promise<void> => {
        while (sent < until) {
          const { load, status: expected } = requestNumber(sent++);
          const { status, text } = await send(pool, load);
          if (status !== expected || text.startsWith('{"errors"'))
            throw new Error(`${load.method} ${load.path} answered ${status}: ${text.slice(0, 500)}`);
        }
      };
      await Promise.all(Array.from({ length: connections }, worker));
      const weight = await weigh(weightUrl);
      weights.push(weight);
      describeWeight(sent, weight);
    }
    await pool.close();
    reportSlope(weights.slice(points / 2), total);
    const [before, after] = [weights[points / 2], weights.at(-1)];
    if (before && after)
      report('resident from half of the run to its end', `${toMiB(before.rss)} to ${toMiB(after.rss)} MiB`);
  },
});

async function weigh(url: string): Promise<Weight> {
  return (await (await fetch(url)).json()) as Weight;
}

function describeWeight(sent: number, { heapUsed, external, rss }: Weight): void {
  const [heap, outside, resident] = [heapUsed, external, rss].map((bytes) => toMiB(bytes).padStart(6));
  console.log(
    `${String(sent).padStart(8)} requests: heap ${heap} MiB, outside of it ${outside} MiB, resident ${resident} MiB`,
  );
}

/** Reports the slope by least squares over equidistant points. */
function reportSlope(weights: readonly Weight[], total: number): void {
  const heaps = weights.map(({ heapUsed }) => heapUsed);
  const middle = (heaps.length - 1) / 2;
  const mean = heaps.reduce((sum, heap) => sum + heap, 0) / heaps.length;
  const slope =
    heaps.reduce((sum, heap, at) => sum + (at - middle) * (heap - mean), 0) /
    heaps.reduce((sum, _, at) => sum + (at - middle) ** 2, 0);
  const bytesEach = slope / (total / 2 / (heaps.length - 1));
  const growth = (slope * (heaps.length - 1) * 100) / mean;
  report(
    'heap over the second half',
    `${bytesEach.toFixed(2)} bytes per request, ${growth.toFixed(1)} % over ${total / 2} requests (goal at most ${goalPercent} %)`,
  );
}

function toMiB(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
