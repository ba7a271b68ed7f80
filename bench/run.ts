import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Program } from '../test/support/startProgram.ts';
import { type Comparison, compare, type Subject } from './compare.ts';
import { countDatabaseCommands } from './gateway/countDatabaseCommands.ts';
import { assertSameAnswers, documents, loadsOf } from './gateway/loads.ts';
import { type Marketplace, openMarketplace } from './gateway/openMarketplace.ts';
import { reportStart } from './gateway/reportStart.ts';
import { type Apart, startApart } from './gateway/startApart.ts';
import { type StartProgram, withPrograms } from './withPrograms.ts';

/**
 * `npm run bench [-- --rounds 15 --only apart]`: what the product costs beside hand-written handlers and beside another
 * gateway over the same subgraphs, in one process and in several, as ratios measured in this run. The database answers for
 * all of them and is counted for none.
 */

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, only: { type: 'string', default: '' } },
});
const rounds = Number(values.rounds);
const operationsFolder = await mkdtemp(path.join(tmpdir(), 'trigate-operations-'));

try {
  await withPrograms('bench', run);
} finally {
  await rm(operationsFolder, { recursive: true, force: true });
}

async function run(start: StartProgram): Promise<void> {
  const registered = { REGISTERED_OPERATIONS: path.join(operationsFolder, 'operations.json') };
  await writeFile(registered.REGISTERED_OPERATIONS, JSON.stringify(documents));
  const marketplace = await openMarketplace(start, registered);
  const handwritten = await start('handwritten', 'bench/handwritten/server.ts', marketplace.shared);
  const { product } = marketplace;
  if (isWanted('one')) {
    console.log('\nin one process');
    await reportHandwritten({ target: product }, handwritten, marketplace);
    const hive = await start('hive', 'bench/gateway/hive.ts', hiveEnvironment(marketplace));
    await reportHive({ target: product }, { target: hive }, marketplace, 3);
    await hive.stop();
  }
  if (isWanted('apart')) {
    console.log('\nrouter and three subgraphs in processes of their own');
    const apart = await startApart(start, marketplace, registered);
    const ours: Server = { target: apart.router, behind: apart.subgraphs };
    await reportHandwritten(ours, handwritten, marketplace);
    const hive = await start('hive', 'bench/gateway/hive.ts', hiveEnvironment(marketplace, apart));
    await reportHive(ours, { target: hive, behind: apart.subgraphs }, marketplace, 4);
    for (const program of [hive, apart.router, ...apart.subgraphs]) await program.stop();
  }
  for (const program of [product, handwritten]) await program.stop();
  if (isWanted('commands')) await reportCommands(start, marketplace);
  // One that starts with the product wants the folder for itself.
  await marketplace.database.stop();
  if (isWanted('start')) await reportStart(start);
}

function isWanted(part: string): boolean {
  return values.only === '' || values.only.split(',').includes(part);
}

type Server = Omit<Subject, 'load'>;

function hiveEnvironment({ shared, installationId }: Marketplace, apart?: Apart): Record<string, string> {
  return {
    ...shared,
    INSTALLATION_ID: installationId,
    ...(apart && { SUBGRAPH_URLS: JSON.stringify(apart.urls) }),
  };
}

async function reportHandwritten(ours: Server, byHand: Program, marketplace: Marketplace): Promise<void> {
  const { me, join } = loadsOf(marketplace);
  const { url } = ours.target;
  await assertSameAnswers([url, me.rest], [byHand.url, me.byHand]);
  await assertSameAnswers([url, join.adHoc], [url, join.registered], [byHand.url, join.byHand]);
  await assertSameAnswers([url, me.adHoc], [url, me.registered]);
  const handwritten = (load: Subject['load']): Subject => ({ target: byHand, load });
  const of = (load: Subject['load']): Subject => ({ ...ours, load });
  await report('GET /api/v1/me : hand-written', 1.15, of(me.rest), handwritten(me.byHand));
  await report('join of three subgraphs : hand-written', 1.5, of(join.adHoc), handwritten(join.byHand));
  await report('POST /graphql, registered : REST, both /me', 1.5, of(me.registered), of(me.rest));
}

async function reportHive(ours: Server, hive: Server, marketplace: Marketplace, goal: number): Promise<void> {
  const loads = loadsOf(marketplace);
  for (const name of ['me', 'join', 'languages'] as const) {
    const load = loads[name].adHoc;
    await assertSameAnswers([ours.target.url, load], [hive.target.url, load]);
    const title = `POST /graphql, ${name}: Hive Gateway : ours`;
    await report(title, -goal, { ...hive, load }, { ...ours, load });
  }
}

/** @param goal at most, or at least if it is negative */
async function report(title: string, goal: number, first: Subject, second: Subject): Promise<void> {
  const { cpu, ownCpu, throughput } = await compare(first, second, { rounds });
  const wanted = goal > 0 ? `at most ${goal}` : `at least ${-goal}`;
  console.log(`  ${title}`);
  console.log(`    CPU per request  ${describe(cpu)} µs  (goal ${wanted})`);
  if (first.behind) console.log(`    without the subgraphs' ${describe(ownCpu)} µs`);
  console.log(`    requests/s       ${describe(throughput)}`);
}

function describe({ ratio, figures }: Comparison['cpu']): string {
  const [first, second] = figures.map((figure) => figure.toFixed(0));
  return `${ratio.toFixed(2)}  (${first} : ${second})`;
}

async function reportCommands(start: StartProgram, marketplace: Marketplace): Promise<void> {
  console.log('\ndatabase commands of a request, the caller known for less than 5 s');
  // Its address is part of whom a token is for: it has to be that of the one who issued it.
  const { port: PORT } = new URL(marketplace.product.url);
  const environment = { ...marketplace.shared, PORT, METRICS_PORT: '0' };
  const product = await start('product', 'start/main.ts', environment);
  const { me, join } = loadsOf(marketplace);
  const list = { method: 'GET', headers: marketplace.headers } as const;
  for (const [title, load] of [
    ['GET /api/v1/me', me.rest],
    ['join of three subgraphs', join.adHoc],
    ['GET /api/v1/listings?limit=1', { ...list, path: '/api/v1/listings?limit=1' }],
    ['GET /api/v1/listings?limit=100', { ...list, path: '/api/v1/listings?limit=100' }],
  ] as const) {
    const counts = [...(await countDatabaseCommands(product, load))];
    const sum = counts.reduce((total, [, count]) => total + count, 0);
    const each = counts.map(([command, count]) => `${command} ${count.toFixed(1)}`).join(', ');
    console.log(`  ${title.padEnd(32)} ${sum.toFixed(1)}  (${each})`);
  }
  await product.stop();
}
