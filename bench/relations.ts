import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { describeTimes, percentile } from './catalogue/times.ts';
import { followProgress } from './followProgress.ts';
import { type StartProgram, withPrograms } from './withPrograms.ts';

/**
 * `npm run bench:relations [-- --rounds 1000]`: what a link and an unlink cost over HTTP, and what becomes of groups that
 * fifty writers change at once, round after round. Every answer below 500, and a report of health without findings.
 */

const password = 'bench-password-1';
const goalMs = 40;
const writers = 50;
const pairs = 300;
/** Access tokens live for ten minutes. */
const tokenMs = 5 * 60_000;
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '1000' } } });
const rounds = Number(values.rounds);
if (!(rounds >= 0)) throw new Error('State a number: --rounds 1000');

await withPrograms('relations', run);

async function run(start: StartProgram): Promise<void> {
  const product = await start('product', 'start/main.ts', {
    DEMO_PASSWORD: password,
    PORT: '0',
    MONGODB_URI: '',
    RATE_LIMITS: 'off',
  });
  const pool = new Pool(product.url, { connections: writers });
  try {
    const shop = await openShop(pool);
    await reportPairs(shop);
    await reportRounds(shop);
    await reportHealth(shop);
  } finally {
    await pool.close();
  }
}

/** What is looked at of any answer. */
interface Body {
  readonly code?: string;
  readonly access_token?: string;
  readonly data?: unknown;
  readonly errors?: unknown;
}

interface Answer {
  readonly status: number;
  readonly body: Body | null;
  readonly ms: number;
}

/** Pages of the demonstration, and who may link them. */
interface Shop {
  readonly pages: readonly string[];
  link(object: string, relatedTo: string, onConflict?: string): Promise<Answer>;
  unlink(object: string): Promise<Answer>;
  graphql<Data>(query: string, variables?: object): Promise<Data>;
}

async function openShop(pool: Pool): Promise<Shop> {
  const signedIn = createToken(pool);
  const send = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answer> => {
    const authorization = `Bearer ${await signedIn()}`;
    return ask(pool, { method, path, authorization, ...(body && { body }) });
  };
  const graphql = async <Data>(query: string, variables: object = {}): Promise<Data> => {
    const { body } = await send('POST', '/graphql', { query, variables });
    if (!body || body.errors) throw new Error(`GraphQL answered ${JSON.stringify(body?.errors)}`);
    return body.data as Data;
  };
  const { languages } = await graphql<{ languages: { items: { bcp47: string }[] } }>(
    '{ languages { items { bcp47 } } }',
  );
  const tags = languages.items.map(({ bcp47 }) => bcp47);
  const pages: string[] = [];
  for (let index = 0; index < writers; index += 1) {
    const input = { title: `Page ${index}`, languageTag: tags[index % tags.length] };
    const { createPage } = await graphql<{ createPage: { page: { id: string } } }>(
      'mutation ($input: CreatePageInput!) { createPage(input: $input) { page { id } } }',
      { input },
    );
    pages.push(createPage.page.id);
  }
  const path = '/api/rest/translation/v1/relations';
  const page = (id: string) => ({ type: 'page', id });
  return {
    pages,
    graphql,
    link: (object, relatedTo, onConflict = 'reject') =>
      send('POST', path, { object: page(object), relatedTo: page(relatedTo), onConflict }),
    unlink: (object) => send('DELETE', `${path}?objectType=page&objectId=${object}`),
  };
}

/** One after the other: the cost of each by itself. */
async function reportPairs({ pages, link, unlink }: Shop): Promise<void> {
  const [source = '', other = ''] = pages;
  const times = { link: [] as number[], unlink: [] as number[] };
  for (let pair = 0; pair < pairs + 20; pair += 1) {
    const [linked, unlinked] = [await link(other, source), await unlink(other)];
    if (linked.status !== 201 || unlinked.status !== 200)
      throw new Error(`a pair answered ${linked.status} and ${unlinked.status}`);
    // The first ones warm up.
    if (pair < 20) continue;
    times.link.push(linked.ms);
    times.unlink.push(unlinked.ms);
  }
  for (const [name, each] of Object.entries(times))
    console.log(`${name.padEnd(6)} ${describeTimes(each)}  (goal: p95 at most ${goalMs} ms)`);
}

/** Fifty at once on groups around one page: links in all three ways, and unlinks. */
async function reportRounds({ pages, link, unlink }: Shop): Promise<void> {
  const counts = new Map<string, number>();
  const times: number[] = [];
  const follow = followProgress('rounds', rounds);
  for (let round = 0; round < rounds; round += 1) {
    const source = pages[round % pages.length] ?? '';
    const answers = await Promise.all(
      pages.map((page, index) => {
        const way = (index * 7 + round * 3) % 10;
        if (way < 3) return unlink(page);
        // A few meet elsewhere, so that groups are left and joined at once.
        const anchor = way === 9 ? (pages[(index + round) % pages.length] ?? '') : source;
        return link(page, anchor, ['reject', 'move', 'replace'][way % 3]);
      }),
    );
    for (const { status, body, ms } of answers) {
      const word = status < 300 ? String(status) : `${status} ${body?.code}`;
      counts.set(word, (counts.get(word) ?? 0) + 1);
      times.push(ms);
    }
    follow(round + 1);
  }
  if (rounds === 0) return;
  console.log(`${writers} writers at once, ${rounds} rounds: ${describeTimes(times)}`);
  for (const [word, count] of [...counts].sort(([a], [b]) => a.localeCompare(b)))
    console.log(`  ${String(count).padStart(7)}  ${word}`);
  const failed = [...counts].filter(([word]) => word >= '500');
  if (failed.length > 0) throw new Error('There are answers of 500 and above.');
  if (percentile(times, 1) > 10_000) throw new Error('An answer took longer than a request may.');
}

interface Health {
  readonly findings: readonly unknown[];
  readonly lookedAt: number;
  readonly next: string | null;
}

async function reportHealth({ graphql }: Shop): Promise<void> {
  const findings: unknown[] = [];
  let lookedAt = 0;
  let after: string | null = null;
  do {
    const { relationHealth }: { relationHealth: Health } = await graphql(
      `query ($after: String) {
        relationHealth(after: $after) { lookedAt next findings { code groupId objectId detail } } }`,
      { after },
    );
    findings.push(...relationHealth.findings);
    lookedAt += relationHealth.lookedAt;
    after = relationHealth.next;
  } while (after !== null);
  console.log(`health: ${findings.length} findings in ${lookedAt} groups and records`);
  if (findings.length > 0) throw new Error(JSON.stringify(findings.slice(0, 10), null, 2));
}

/** A token of the editor, a new one in time. */
function createToken(pool: Pool): () => Promise<string> {
  let known: Promise<string> | null = null;
  let signedInAt = 0;
  return () => {
    if (known === null || performance.now() - signedInAt > tokenMs) {
      signedInAt = performance.now();
      known = signIn(pool);
    }
    return known;
  };
}

async function signIn(pool: Pool): Promise<string> {
  const body = { grant_type: 'password', username: 'editor@demo.example', password };
  const answer = await ask(pool, { method: 'POST', path: '/api/v1/auth/token', body });
  if (answer.status !== 200) throw new Error(`the sign-in answered ${answer.status}`);
  return answer.body?.access_token ?? '';
}

async function ask(
  pool: Pool,
  request: { method: 'GET' | 'POST' | 'DELETE'; path: string; authorization?: string; body?: object },
): Promise<Answer> {
  const { method, path, authorization, body } = request;
  const begun = performance.now();
  const response = await pool.request({
    method,
    path,
    headers: { ...(authorization && { authorization }), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.body.text();
  return {
    status: response.statusCode,
    body: text === '' ? null : (JSON.parse(text) as Body),
    ms: performance.now() - begun,
  };
}
