import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Program } from '../test/support/startProgram.ts';
import { countDatabaseCommands } from './gateway/countDatabaseCommands.ts';
import { assertSameAnswers, documents, loadsOf } from './gateway/loads.ts';
import { reportStart } from './gateway/reportStart.ts';
import { type Apart, startApart } from './gateway/startApart.ts';
import { bench, type Values } from './harness/bench.ts';
import { compare, type Pair, type Span, type Subject } from './harness/compare.ts';
import { type Marketplace, openMarketplace } from './harness/openMarketplace.ts';
import { describeRatios, report } from './harness/report.ts';
import type { StartProgram } from './harness/withPrograms.ts';

/**
 * What the product costs beside hand-written handlers and beside another gateway over the same subgraphs, in one process
 * and in several, as ratios measured in this run. The database answers for all of them and is counted for none.
 */

const settings = {
  rounds: { usual: 15, quick: 1, means: 'rounds in which two servers take turns' },
  roundMs: { usual: 1500, quick: 150, means: 'length of a round' },
  warmUpMs: { usual: 20_000, quick: 150, means: 'longest warm-up of a server' },
  requests: { usual: 400, quick: 40, means: 'requests whose database commands are counted' },
  starts: { usual: 3, quick: 1, means: 'starts of the product' },
  idleMs: { usual: 15_000, quick: 200, means: 'pause before memory is read' },
  only: { usual: 'one,apart,commands,start', quick: 'one,apart,commands,start', means: 'parts' },
} as const;

await bench(
  {
    script: 'bench',
    measures:
      'the product beside hand-written handlers and Hive Gateway: CPU, requests a second, commands, start',
    settings,
  },
  async (chosen, start) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'trigate-operations-'));
    try {
      await run(start, path.join(folder, 'operations.json'), chosen);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

async function run(
  start: StartProgram,
  operations: string,
  { requests, starts, idleMs, only, ...span }: Values<typeof settings>,
): Promise<void> {
  const parts = only.split(',');
  const registered = { REGISTERED_OPERATIONS: operations };
  await writeFile(operations, JSON.stringify(documents));
  const marketplace = await openMarketplace(start, registered);
  const { product, database } = marketplace;
  const handwritten = await start('handwritten', 'bench/handwritten/server.ts', marketplace.shared);
  const comparing = { marketplace, handwritten, span };
  if (parts.includes('one')) {
    console.log('\nin one process');
    await reportHandwritten({ target: product }, comparing, {
      me: ', goal at most 1.15',
      join: ', goal at most 1.3',
    });
    const hive = await start('hive', 'bench/gateway/hive.ts', hiveEnvironment(marketplace));
    await reportHive({ target: product }, { target: hive }, comparing);
    await hive.stop();
  }
  if (parts.includes('apart')) {
    console.log('\nrouter and three subgraphs in processes of their own');
    const apart = await startApart(start, marketplace, registered);
    const ours: Server = { target: apart.router, behind: apart.subgraphs };
    await reportHandwritten(ours, comparing, { me: '', join: '' });
    const hive = await start('hive', 'bench/gateway/hive.ts', hiveEnvironment(marketplace, apart));
    await reportHive(ours, { target: hive, behind: apart.subgraphs }, comparing);
    for (const program of [hive, apart.router, ...apart.subgraphs]) await program.stop();
  }
  for (const program of [product, handwritten]) await program.stop();
  if (parts.includes('commands')) await reportCommands(start, marketplace, requests);
  // One that starts with the product wants the folder for itself.
  await database.stop();
  if (parts.includes('start')) await reportStart(start, { starts, idleMs });
}

type Server = Omit<Subject, 'load'>;

/** What all comparisons have in common. */
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

/** @param goals of the two that are compared with the handler; empty where there is none */
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

async function reportCommands(
  start: StartProgram,
  { shared, listingId, signIn }: Marketplace,
  requests: number,
): Promise<void> {
  console.log('\ndatabase commands of a request, the caller known for less than 5 s');
  const product = await start('product', 'start/main.ts', { ...shared, METRICS_PORT: '0' });
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
  await product.stop();
}
