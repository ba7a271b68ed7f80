import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { connectMongo } from '../subgraphs/platform/mongo/connectMongo.ts';
import { describeTimes } from './catalogue/times.ts';
import { followProgress } from './followProgress.ts';
import { codes, fillGroups, fillHeads, fillListings, fillWork, type Shop } from './translations/fillTexts.ts';
import { type StartProgram, withPrograms } from './withPrograms.ts';

/**
 * `npm run bench:translations [-- --records 1000000]`: what readers' texts of a thousand objects in ten languages cost
 * over HTTP, what the list of languages costs, and what pages of the work list cost among so many texts.
 */

const password = 'bench-password-1';
const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '1000' },
    records: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '100' },
  },
});
const [objects, records, rounds] = [values.objects, values.records, values.rounds].map(Number) as [
  number,
  number,
  number,
];
if (!(objects > 0 && objects <= 1000 && records >= 0 && rounds > 0))
  throw new Error('State numbers: --objects 1000 --records 100000 --rounds 100');

/** Rounds before the first one that counts: code that is called this often is compiled. */
const warmUp = 30;

const resolve = /* GraphQL */ `query ($objects: [ObjectRefInput!]!, $language: String!, $view: TranslationView!) {
  resolveTranslations(objects: $objects, language: $language, view: $view) {
    matchedCode strategy translation { id languageCode live url fields { title description } }
  }
}`;

const list = /* GraphQL */ `query ($filter: TranslationFilter, $after: String) {
  translations(filter: $filter, first: 50, after: $after) {
    nodes { id languageCode origin version updatedAt } pageInfo { endCursor }
  }
}`;
const filters: Readonly<Record<string, object>> = {
  everything: {},
  'a language': { language: 'fr' },
  'a language and a status': { language: 'fr', status: ['NEEDS_REVIEW'] },
  'a language and two statuses': { language: 'fr', status: ['DRAFT', 'IN_PROGRESS'] },
  'a status': { status: ['NEEDS_REVIEW'] },
  'what is outdated': { outdated: true },
  'what is outdated in a language': { outdated: true, language: 'fr' },
  'what is live in a language': { language: 'fr', live: true },
  'an assignee': { assigneeId: `usr_${'20'.padStart(26, '0')}` },
  'pages, of which there are none': { objectType: 'PAGE' },
  'what is missing': { missing: true, language: 'fr' },
};

await withPrograms('translations', run);

async function run(start: StartProgram): Promise<void> {
  const database = await start('database', 'start/database.ts');
  const uri = database.ready.replace('MONGODB_URI=', '');
  const environment = {
    MONGODB_URI: uri.replace('/?', '/trigate?'),
    DEMO_PASSWORD: password,
    PORT: '0',
    RATE_LIMITS: 'off',
  };
  // The demonstration makes the installation, its people and its listings.
  await (await start('product', 'start/main.ts', environment)).stop();
  const connection = await connectMongo({ uri, database: 'trigate', timeoutMs: 120_000 });
  try {
    const shop = await fillListings(objects);
    await fillHeads(shop);
    const texts = await fillGroups(shop);
    const product = await start('product', 'start/main.ts', { ...environment, JOBS: 'off' });
    const pool = new Pool(product.url, { connections: 2 });
    try {
      const token = await signIn(pool);
      await reportTexts(pool, token, shop, texts);
      await reportLanguages(pool);
      if (records === 0) return;
      await fillWork(shop, records, followProgress('texts', records));
      // Filling takes longer than a token lives.
      await reportWork(pool, await signIn(pool));
    } finally {
      await pool.close();
    }
  } finally {
    await connection.close();
  }
}

interface Resolved {
  readonly matchedCode: string | null;
  readonly translation: { readonly url: string | null } | null;
}

async function reportTexts(pool: Pool, token: string, { listingIds }: Shop, texts: number): Promise<void> {
  const refs = listingIds.map((id) => ({ type: 'LISTING', id }));
  for (const view of ['PUBLIC', 'EDITORIAL']) {
    const times: number[] = [];
    for (let round = -warmUp; round < rounds; round += 1) {
      const language = codes[(round + warmUp) % codes.length];
      const variables = { objects: refs, language, view };
      const { data, ms } = await graphql(pool, token, resolve, variables);
      const answers = data.resolveTranslations as Resolved[];
      if (answers.some(({ matchedCode }) => matchedCode === null)) throw new Error('An object has no text.');
      if (answers.some(({ translation }) => !translation?.url)) throw new Error('A text has no address.');
      if (round >= 0) times.push(ms);
    }
    const what = `${refs.length} objects x ${codes.length} languages (${texts} texts), ${view.toLowerCase()}`;
    console.log(`${what}: ${describeTimes(times)}  (goal: p95 at most 150 ms)`);
  }
}

async function reportLanguages(pool: Pool): Promise<void> {
  const path = '/api/rest/translation/v1/languages?display=fr';
  const first = await pool.request({ method: 'GET', path });
  await first.body.dump();
  const etag = String(first.headers.etag);
  for (const [name, headers, expected] of [
    ['languages', {}, 200],
    ['languages, 304', { 'if-none-match': etag }, 304],
  ] as const) {
    const times: number[] = [];
    for (let round = -50; round < 5 * rounds; round += 1) {
      const begun = performance.now();
      const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
      await body.dump();
      if (statusCode !== expected) throw new Error(`languages answered ${statusCode}`);
      if (round >= 0) times.push(performance.now() - begun);
    }
    console.log(`${name}: ${describeTimes(times)}  (goal: p95 at most 5 ms)`);
  }
}

/** The first pages of each list and pages far behind it, in turns. */
async function reportWork(pool: Pool, token: string): Promise<void> {
  console.log(`work list of ${records.toLocaleString('en')} texts, pages of 50 (goal: p95 at most 50 ms):`);
  for (const [name, filter] of Object.entries(filters)) {
    const [first, later]: [number[], number[]] = [[], []];
    let after: string | null = null;
    for (let page = 0; page < rounds; page += 1) {
      first.push((await graphql(pool, token, list, { filter })).ms);
      const { data, ms } = await graphql(pool, token, list, { filter, after });
      if (after !== null) later.push(ms);
      after = (data.translations as { pageInfo: { endCursor: string | null } }).pageInfo.endCursor;
    }
    const behind = later.length > 0 ? `; later pages ${describeTimes(later)}` : '';
    console.log(`  ${name.padEnd(32)} ${describeTimes(first)}${behind}`);
  }
}

async function signIn(pool: Pool): Promise<string> {
  const { body } = await pool.request({
    method: 'POST',
    path: '/api/v1/auth/token',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'password', username: 'editor@demo.example', password }),
  });
  const { access_token: token } = (await body.json()) as { access_token?: string };
  if (!token) throw new Error('The editor could not sign in.');
  return token;
}

async function graphql(
  pool: Pool,
  token: string,
  query: string,
  variables: object,
): Promise<{ data: Record<string, unknown>; ms: number }> {
  const begun = performance.now();
  const { body } = await pool.request({
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  });
  const answer = JSON.parse(await body.text()) as { data?: Record<string, unknown>; errors?: unknown };
  const ms = performance.now() - begun;
  if (!answer.data || answer.errors) throw new Error(`GraphQL answered ${JSON.stringify(answer.errors)}`);
  return { data: answer.data, ms };
}
