import { Pool } from 'undici';
import type { Program } from '../test/support/stack/startProgram.ts';
import { benchmark } from './harness/benchmark.ts';
import { compare, type Pair, type Span, type Subject } from './harness/compare.ts';
import { assertSameAnswers, loadsOf } from './harness/loads.ts';
import type { Marketplace } from './harness/openMarketplace.ts';
import { describeRatios, report } from './harness/report.ts';
import { type Load, sendOk } from './harness/send.ts';
import { type Apart, startApart } from './harness/startApart.ts';

/**
 * Measures the cost of the product as ratios: to handwritten handlers, and to another gateway over the same subgraphs,
 * in one process and in several. All use the same database, whose cost is not counted.
 */

const settings = {
  rounds: { usual: 15, quick: 1, means: 'rounds in which two servers take turns' },
  roundMs: { usual: 1500, quick: 150, means: 'length of a round' },
  warmUpMs: { usual: 20_000, quick: 150, means: 'longest warm-up of a server' },
  requests: { usual: 400, quick: 40, means: 'requests whose database commands are counted' },
  only: { usual: 'one,apart,usage,commands', quick: 'one,commands', means: 'parts' },
} as const;

export default benchmark({
  measures: 'the product beside hand-written handlers and Hive Gateway: CPU, requests a second, commands',
  settings,
  async measure({ requests, only, ...span }, { start, openMarketplace }) {
    const parts = only.split(',');
    const marketplace = await openMarketplace();
    const { product } = marketplace;
    const handwritten = await start('handwritten', 'bench/programs/handwritten.ts', marketplace.shared);
    const comparing = { marketplace, handwritten, span };
    if (parts.includes('one')) {
      console.log('\nin one process');
      await reportHandwritten({ target: product }, comparing, {
        me: ', goal at most 1.15',
        join: ', goal at most 1.3',
      });
      const hive = await start('hive', 'bench/programs/hive.ts', hiveEnvironment(marketplace));
      await reportHive({ target: product }, { target: hive }, comparing);
      await hive.stop();
    }
    if (parts.includes('apart')) {
      console.log('\nrouter and three subgraphs in processes of their own');
      const apart = await startApart(start, marketplace);
      const ours: Server = { target: apart.router, behind: apart.subgraphs };
      await reportHandwritten(ours, comparing, { me: '', join: '' });
      const hive = await start('hive', 'bench/programs/hive.ts', hiveEnvironment(marketplace, apart));
      await reportHive(ours, { target: hive, behind: apart.subgraphs }, comparing);
      for (const program of [hive, apart.router, ...apart.subgraphs]) await program.stop();
    }
    if (parts.includes('usage')) {
      console.log('\nrouters with the usage ledger, and without');
      const apart = await startApart(start, marketplace);
      await reportLedger(apart, comparing);
      for (const program of [apart.router, ...apart.subgraphs]) await program.stop();
    }
    await handwritten.stop();
    if (parts.includes('commands')) await reportCommands(marketplace, requests);
  },
});

type Server = Omit<Subject, 'load'>;

/** Common settings of all comparisons. */
interface Comparing {
  readonly marketplace: Marketplace;
  readonly handwritten: Program;
  readonly span: Span;
}

function hiveEnvironment({ shared, installationId }: Marketplace, apart?: Apart): Record<string, string> {
  return {
    ...shared,
    INSTALLATION_ID: installationId,
    ...(apart && { SUBGRAPH_URLS: JSON.stringify(apart.urls) }),
  };
}

/**
 * Compares the product with the handlers.
 *
 * @param goals of the two that are compared with the handlers; empty if there are none
 */
async function reportHandwritten(
  ours: Server,
  { marketplace, handwritten, span }: Comparing,
  goals: { me: string; join: string },
): Promise<void> {
  const { me, join } = loadsOf(marketplace.listingId, marketplace.caller);
  const { url } = ours.target;
  await assertSameAnswers([url, me.rest], [handwritten.url, me.byHand]);
  await assertSameAnswers([url, join.adHoc], [url, join.registered], [handwritten.url, join.byHand]);
  await assertSameAnswers([url, me.adHoc], [url, me.registered]);
  const byHand = (load: Subject['load']): Subject => ({ target: handwritten, load });
  const of = (load: Subject['load']): Subject => ({ ...ours, load });
  await reportPair('/me : hand-written', goals.me, span, of(me.rest), byHand(me.byHand));
  await reportPair('join : hand-written', goals.join, span, of(join.adHoc), byHand(join.byHand));
  await reportPair(
    '/me registered : /me by REST',
    ', goal at most 1.5',
    span,
    of(me.registered),
    of(me.rest),
  );
}

async function reportHive(ours: Server, hive: Server, { marketplace, span }: Comparing): Promise<void> {
  const loads = loadsOf(marketplace.listingId, marketplace.caller);
  for (const name of ['me', 'join', 'languages'] as const) {
    const load = loads[name].adHoc;
    await assertSameAnswers([ours.target.url, load], [hive.target.url, load]);
    await reportPair(`${name}, Hive : ours`, ', goal above 1', span, { ...hive, load }, { ...ours, load });
  }
}

/**
 * Compares routers of the same subgraphs: with the usage ledger and without, and two without. Equal processes differ by
 * several percent from start to start, which is more than the ledger costs. The second figure shows this.
 */
async function reportLedger(apart: Apart, { marketplace, span }: Comparing): Promise<void> {
  const { me } = loadsOf(marketplace.listingId, marketplace.caller);
  const start = async (ledger: string) => {
    const target = await apart.startRouter({ USAGE_LEDGER: ledger });
    return { target, behind: apart.subgraphs, load: me.rest };
  };
  const [on, off, other] = [await start('on'), await start('off'), await start('off')];
  await reportPair('/me, usage ledger on : off', ', goal at most 1.02', span, on, off);
  await reportPair('/me, off : off', '', span, off, other);
  for (const { target } of [on, off, other]) await target.stop();
}

async function reportPair(
  title: string,
  goal: string,
  span: Span,
  first: Subject,
  second: Subject,
): Promise<void> {
  const { cpu, ownCpu, throughput } = await compare(first, second, span);
  report(`${title}, CPU`, `${describe(cpu, 'µs')}${goal}`);
  if (first.behind) report(`${title}, CPU without subgraphs`, describe(ownCpu, 'µs'));
  report(`${title}, requests/s`, describe(throughput, '/s'));
}

function describe({ ratios, figures }: Pair, unit: string): string {
  const [first, second] = figures.map((figure) => figure.toFixed(0));
  return `${describeRatios(ratios)}; ${first} : ${second} ${unit}`;
}

async function reportCommands({ restart, listingId, signIn }: Marketplace, requests: number): Promise<void> {
  console.log('\ndatabase commands of a request, the caller known for less than 5 s');
  const product = await restart({ METRICS_PORT: '0' });
  const as = signIn('dealer', product);
  const { me, join } = loadsOf(listingId, as);
  const list = (limit: number) => ({ method: 'GET', path: `/api/v1/listings?limit=${limit}`, as }) as const;
  for (const [title, load] of [
    ['GET /api/v1/me', me.rest],
    ['join of three subgraphs', join.adHoc],
    ['GET /api/v1/listings?limit=1', list(1)],
    ['GET /api/v1/listings?limit=100', list(100)],
  ] as const) {
    const counts = [...(await countDatabaseCommands(product, load, requests))];
    const sum = counts.reduce((total, [, count]) => total + count, 0);
    const each = counts.map(([command, count]) => `${command} ${count.toFixed(1)}`).join(', ');
    report(title, `${sum.toFixed(1)}  (${each})`);
  }
}

const sample = /^trigate_database_command_duration_seconds_count\{([^}]*)\} (\d+)$/gm;

/**
 * Counts the database commands of one request, by the product's own metrics. Background commands are fewer than one in
 * ten requests and not shown.
 *
 * @param product started with `METRICS_PORT`
 */
async function countDatabaseCommands(
  product: Program,
  load: Load,
  requests: number,
): Promise<Map<string, number>> {
  const metricsUrl = /http:\/\/\S+\/metrics/.exec(product.printed)?.[0];
  if (metricsUrl === undefined) throw new Error('The product does not say where its metrics are.');
  const pool = new Pool(product.url, { connections: 4 });
  const ask = async (times: number): Promise<void> => {
    for (let asked = 0; asked < times; asked++) await sendOk(pool, load);
  };
  await ask(20);
  const before = await readCounts(metricsUrl);
  await ask(requests);
  const after = await readCounts(metricsUrl);
  await pool.close();
  const counts = [...after].map(
    ([command, count]) => [command, (count - (before.get(command) ?? 0)) / requests] as const,
  );
  return new Map(counts.filter(([, perRequest]) => perRequest >= 0.1));
}

async function readCounts(metricsUrl: string): Promise<Map<string, number>> {
  const text = await (await fetch(metricsUrl)).text();
  const counts = new Map<string, number>();
  for (const [, labels = '', count] of text.matchAll(sample)) {
    const [, command, collection] = /command="([^"]*)",collection="([^"]*)"/.exec(labels) ?? [];
    counts.set(`${command} ${collection}`, Number(count));
  }
  return counts;
}
