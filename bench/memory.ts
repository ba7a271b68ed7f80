import { Pool } from 'undici';
import { benchmark } from './harness/benchmark.ts';
import type { Caller } from './harness/Caller.ts';
import { loadsOf } from './harness/loads.ts';
import { report } from './harness/report.ts';
import { jsonLoad, type Load, send } from './harness/send.ts';

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

/** A request and its expected status. */
interface Expecting {
  readonly load: Load;
  readonly status: number;
}

/** Type of request with its number out of fifty; all others read the caller's own data. */
interface Kind {
  readonly share: number;
  request(number: number): Expecting;
}

/**
 * Returns requests of every type by number: reads by REST, known operations, operations with new texts (8 in a
 * hundred), refused ones (10 in a hundred) and writes (2 in a hundred).
 */
function mixedLoad(listingId: string, caller: Caller): (number: number) => Expecting {
  const { me, join } = loadsOf(listingId, caller);
  const get = (path: string): Load => ({ method: 'GET', path, as: caller });
  const graphql = (query: string): Load =>
    jsonLoad('POST', '/graphql', { query, variables: { id: listingId } }, caller);
  const write = (number: number): Load =>
    jsonLoad('PATCH', '/api/v1/me', { displayName: `Dealer ${number}` }, caller);
  const newJoin = (number: number): string =>
    `query ($id: ID!) { listing(listingId: $id) { id${number}: id seo { keyphrase } translations { languageCode } } }`;
  const usual: Expecting = { load: me.rest, status: 200 };
  const kinds: readonly Kind[] = [
    { share: 1, request: (number) => ({ load: write(number), status: 200 }) },
    {
      share: 2,
      request: (number) => ({ load: graphql(`query { me { name${number}: displayName } }`), status: 200 }),
    },
    { share: 2, request: (number) => ({ load: graphql(newJoin(number)), status: 200 }) },
    { share: 3, request: (number) => ({ load: get(`/api/v1/nothing/${number}`), status: 404 }) },
    { share: 2, request: () => ({ load: { method: 'GET', path: '/api/v1/me' }, status: 401 }) },
    {
      share: 2,
      request: () => ({ load: { method: 'GET', path: '/api/v1/catalog/listings?limit=5' }, status: 200 }),
    },
    { share: 2, request: () => ({ load: get(`/api/v1/listings/${listingId}`), status: 200 }) },
    { share: 1, request: () => ({ load: join.adHoc, status: 200 }) },
    { share: 5, request: () => ({ load: me.adHoc, status: 200 }) },
  ];
  const places = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind));
  return (number) => places[number % 50]?.request(number) ?? usual;
}

/**
 * Returns operations whose text is new in each request: a join repeated many times, a wide selection, and a small one.
 */
function distinctLoad(listingId: string, caller: Caller): (number: number) => Expecting {
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
