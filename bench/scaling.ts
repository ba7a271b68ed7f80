import { cpus } from 'node:os';
import { Pool } from 'undici';
import { openFleet } from '../test/support/openFleet.ts';
import type { Program } from '../test/support/startProgram.ts';
import { cpuOf } from './cpuOf.ts';
import { type StartProgram, withPrograms } from './withPrograms.ts';

/**
 * `npm run bench:scaling`: what more routers and more subgraphs bring, for a join over three subgraphs. On a machine with
 * fewer cores than processes the requests per second say little; the CPU of each part says how much of what is needed.
 */

const password = 'bench-password-1';
const connections = 16;
/** Cold code costs several times what it costs when it was compiled. */
const [warmUpMs, roundMs] = [35_000, 12_000];
const query = `query ($id: ID!) { listing(listingId: $id) { id title price { amount currency }
  seo { keyphrase latestAnalysis { scores { seo { value rating } } } } translations { languageCode live fields { title } } } }`;

await withPrograms('scaling', run);

async function run(start: StartProgram): Promise<void> {
  const database = await start('database', 'start/database.ts');
  const uri = new URL(database.ready.replace('MONGODB_URI=', ''));
  uri.pathname = '/trigate';
  const shared = {
    MONGODB_URI: uri.href,
    DEMO_PASSWORD: password,
    ISSUER: 'http://localhost:4000',
    RATE_LIMITS: 'off',
    PORT: '0',
  };
  const product = await start('product', 'start/main.ts', shared);
  const headers = {
    authorization: `Bearer ${await signIn(product.url)}`,
    'content-type': 'application/json',
  };
  const found = await fetch(`${product.url}/api/v1/listings?stockNumber=CAR-0001`, { headers });
  const { data } = (await found.json()) as { data: { id: string }[] };
  await product.stop();
  const body = JSON.stringify({ query, variables: { id: data[0]?.id } });
  console.log(`${cpus().length} cores, ${connections} connections, a join over three subgraphs`);
  for (const [routers, each] of [
    [1, 1],
    [2, 1],
    [2, 2],
  ] as const) {
    const fleet = await openFleet(
      (script, environment, args) => start(args[0] ?? 'router', script, { ...shared, ...environment }, args),
      { router: routers, identity: each, seo: each, translation: each },
    );
    const { router, ...subgraphs } = fleet.programs;
    const pools = router.map(({ url }) => new Pool(url, { connections: connections / routers }));
    const send = (pool: Pool) => pool.request({ method: 'POST', path: '/graphql', headers, body });
    await load(pools, send, warmUpMs);
    const parts = { router, ...subgraphs };
    const before = cpuOfParts(parts, database);
    const perSecond = await load(pools, send, roundMs);
    const after = cpuOfParts(parts, database);
    const requests = (perSecond * roundMs) / 1000;
    const costs = Object.entries(after).map(
      ([part, seconds]) => `${part} ${(((seconds - (before[part] ?? 0)) * 1e6) / requests).toFixed(0)}`,
    );
    console.log(
      `${routers} router(s), ${each} of each subgraph: ${perSecond.toFixed(0)} requests/s; CPU per request in µs: ${costs.join(', ')}`,
    );
    for (const pool of pools) await pool.close();
    for (const program of Object.values(parts).flat()) await program.stop();
    await fleet.close();
  }
}

/** CPU seconds of each part so far; the database's are those of all its processes. */
function cpuOfParts(
  parts: Readonly<Record<string, readonly Program[]>>,
  database: Program,
): Record<string, number> {
  const used = Object.entries(parts).map(([part, programs]) => [
    part,
    programs.reduce((sum, program) => sum + program.cpuSeconds(), 0),
  ]);
  const { itself, children } = cpuOf(database.pid);
  return { ...(Object.fromEntries(used) as Record<string, number>), database: itself + children };
}

/** Requests per second while it lasts. */
async function load(
  pools: readonly Pool[],
  send: (pool: Pool) => ReturnType<Pool['request']>,
  forMs: number,
): Promise<number> {
  const begun = performance.now();
  let answered = 0;
  const worker = async (pool: Pool): Promise<void> => {
    while (performance.now() - begun < forMs) {
      const answer = await send(pool);
      const text = await answer.body.text();
      if (answer.statusCode !== 200 || text.includes('"errors"')) throw new Error(text.slice(0, 500));
      answered += 1;
    }
  };
  await Promise.all(
    Array.from({ length: connections }, (_, index) => worker(pools[index % pools.length] as Pool)),
  );
  return (answered * 1000) / (performance.now() - begun);
}

async function signIn(url: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'password', username: 'dealer@demo.example', password });
  const response = await fetch(`${url}/api/v1/auth/token`, { method: 'POST', body });
  return ((await response.json()) as { access_token: string }).access_token;
}
