import { Pool } from 'undici';
import { freePorts } from './gateway/freePorts.ts';
import { type Expecting, mixedLoad } from './gateway/mixedLoad.ts';
import { bench } from './harness/bench.ts';
import { type Marketplace, openMarketplace } from './harness/openMarketplace.ts';
import { report } from './harness/report.ts';
import { jsonLoad, send } from './harness/send.ts';

/**
 * What is left in memory after very many requests: reads by REST, operations whose text nobody has sent before (so that
 * everything that is kept of operations is replaced over and over), the same operation again and again, requests that are
 * refused, and writes. Garbage is collected at several points, and what is left is printed. `--load distinct` sends nothing
 * but operations that nobody has sent before, two of three as large as the limits of documents allow.
 */

const connections = 12;
/** Growth of the heap over the second half of the run that is still called flat. */
const goalPercent = 5;

interface Weight {
  heapUsed: number;
  external: number;
  rss: number;
}

await bench(
  {
    script: 'bench:memory',
    measures:
      'memory left after many requests of every kind, one process, garbage collected at several points',
    settings: {
      load: {
        usual: 'mixed',
        quick: 'mixed',
        means: '"mixed", or "distinct": every request is a new operation',
      },
      requests: { usual: 50_000, quick: 500, means: 'requests in all' },
      points: { usual: 10, quick: 2, means: 'points at which garbage is collected, an even number' },
    },
  },
  async ({ load: kind, requests: total, points }, start) => {
    const [port = 0] = await freePorts(1);
    const script = 'bench/gateway/weighedProduct.ts';
    const marketplace = await openMarketplace(start, { WEIGHT_PORT: String(port) }, script);
    const pool = new Pool(marketplace.product.url, { connections });
    const requestNumber = kind === 'distinct' ? distinctLoad(marketplace) : mixedLoad(marketplace);
    const weights: Weight[] = [await weigh(port)];
    describeWeight(0, weights[0] as Weight);
    let sent = 0;
    const refused = new Map<string, number>();
    for (let point = 1; point <= points; point++) {
      const until = Math.round((total / points) * point);
      const worker = async (): Promise<void> => {
        while (sent < until) {
          const { load, status: expected } = requestNumber(sent++);
          const { status, text } = await send(pool, load);
          const isExpected = status === expected && !text.startsWith('{"errors"');
          if (!isExpected) count(refused, `${load.method} ${load.path.replace(/\d+$/, '…')} ${status}`);
        }
      };
      await Promise.all(Array.from({ length: connections }, worker));
      const weight = await weigh(port);
      weights.push(weight);
      describeWeight(sent, weight);
    }
    await pool.close();
    for (const [what, times] of refused) console.log(`not as expected: ${what}, ${times} times`);
    reportSlope(weights.slice(points / 2), total);
    const [before, after] = [weights[points / 2], weights.at(-1)];
    if (before && after)
      report('resident from half of the run to its end', `${toMiB(before.rss)} to ${toMiB(after.rss)} MiB`);
  },
);

/** Operations whose text is new in each request: a join many times over, a wide selection, and a small one. */
function distinctLoad({ caller, listingId }: Marketplace): (number: number) => Expecting {
  const times = (amount: number, part: (index: number) => string): string =>
    Array.from({ length: amount }, (_, index) => part(index)).join(' ');
  const shapes: readonly ((number: number) => string)[] = [
    (number) =>
      `query ($id: ID!) { ${times(20, (index) => `l${index}x${number}: listing(listingId: $id) { id title seo { keyphrase latestAnalysis { scores { seo { value rating } } } } translations { languageCode fields { title } } }`)} }`,
    (number) =>
      `{ a${number}: catalogListings(q: "v${number}", first: 20) { nodes { ${times(90, () => '... { id title price { amount currency } ... { description publishedAt } }')} } } }`,
    (number) => `{ me { name${number}: displayName id } }`,
  ];
  return (number) => {
    const query = shapes[number % shapes.length]?.(number) ?? '';
    const variables = { id: listingId };
    return { load: jsonLoad('POST', '/graphql', { query, variables }, caller), status: 200 };
  };
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

async function weigh(port: number): Promise<Weight> {
  return (await (await fetch(`http://127.0.0.1:${port}/`)).json()) as Weight;
}

function describeWeight(sent: number, { heapUsed, external, rss }: Weight): void {
  const [heap, outside, resident] = [heapUsed, external, rss].map((bytes) => toMiB(bytes).padStart(6));
  console.log(
    `${String(sent).padStart(8)} requests: heap ${heap} MiB, outside of it ${outside} MiB, resident ${resident} MiB`,
  );
}

/** Least squares over equally distant points. */
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
