import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { hasBrowser, openBrowser } from '../support/openBrowser.ts';
import { startHive } from '../support/openHive.ts';
import { runProgram } from '../support/runProgram.ts';
import { type Program, startProgram } from '../support/startProgram.ts';
import { BothStyles } from './BothStyles.ts';
import { compareStyles } from './parity.ts';

const password = 'journey-password-1';
/** Seeding on a loaded machine takes its time; the start-up figure is the benchmark's business. */
const patienceMs = 240_000;

let dataDir: string;
const running: Program[] = [];

async function start(
  script: string,
  environment: Record<string, string> = {},
  args: string[] = [],
): Promise<Program> {
  const settings = {
    DATA_DIR: dataDir,
    DEMO_PASSWORD: password,
    PORT: '0',
    MONGODB_URI: '',
    ISSUER: 'http://issuer.test',
    // One caller asks here in a minute what people ask in a day.
    RATE_LIMITS: 'off',
    ...environment,
  };
  const program = await startProgram(path.basename(script), script, settings, args);
  running.push(program);
  return program;
}

async function stopAll(): Promise<(number | null)[]> {
  return Promise.all(
    running
      .splice(0)
      .reverse()
      .map((program) => program.stop()),
  );
}

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'trigate-journey-'));
});
afterAll(async () => {
  await stopAll();
  await rm(dataDir, { recursive: true, force: true });
});

async function differences(url: string, graphqlUrl = url): Promise<string[]> {
  const findings = await compareStyles(url, password, graphqlUrl);
  expect(findings.length).toBeGreaterThan(40);
  return findings.flatMap(({ what, difference }) => (difference === null ? [] : [`${what}: ${difference}`]));
}

describe('one process with the embedded database', () => {
  let product: Program;
  beforeAll(async () => {
    product = await start('start/main.ts');
  }, patienceMs);

  test(
    'REST and GraphQL agree member by member on every operation',
    async () => {
      expect(await differences(product.url)).toEqual([]);
    },
    patienceMs,
  );

  test(
    'a command reaches the embedded database of the process that runs',
    async () => {
      const settings = { DATA_DIR: dataDir, MONGODB_URI: '' };
      const { code, stdout } = await runProgram('start/keys.ts', ['list'], settings);
      expect([code, stdout]).toEqual([0, expect.stringMatching(/of the process that runs[\s\S]* current /)]);
    },
    patienceMs,
  );

  test('a token of one installation is refused by another one, and its records do not exist there', async () => {
    const [here, there] = [new BothStyles(product.url), new BothStyles(product.url, 'other.localhost')];
    const signIn = (styles: BothStyles, username: string) =>
      styles.rest({ operation: 'issueToken', body: { grant_type: 'password', username, password } });
    const mine = (await signIn(here, 'dealer@demo.example')).body.access_token;
    const theirs = (await signIn(there, 'dealer@other.example')).body.access_token;
    const { body } = await here.rest({ operation: 'listings', query: 'limit=1', token: mine });
    const call = {
      operation: 'listing',
      path: { listingId: body.data[0].id },
      variables: { listingId: body.data[0].id },
    };
    for (const style of ['rest', 'graphql'] as const) {
      expect(await there[style]({ ...call, token: mine })).toMatchObject({
        status: 403,
        body: { code: 'installation_mismatch' },
      });
      expect(await there[style]({ ...call, token: theirs })).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
      expect(await here[style]({ ...call, token: mine })).toMatchObject({ status: 200 });
    }
  });

  test('the printed examples run when pasted', () => {
    const commands = product.printed.split('\n').filter((line) => /^ {4}(curl|TOKEN=)/.test(line));
    expect(commands).toHaveLength(6);
    const script = commands
      .map((command) => (command.includes('TOKEN=$(') ? command : `${command} -sS --fail-with-body; echo`))
      .join('\n');
    const answers = execFileSync('bash', ['-e', '-c', script], { encoding: 'utf8' }).trim().split('\n');
    expect(answers).toHaveLength(5);
    for (const answer of answers) expect(JSON.parse(answer)).not.toHaveProperty('errors');
  });

  test("the README's tour runs as written, and is refused where it says so", () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const tour = /## Ten minutes[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    const script = tour.replace('http://localhost:4000', product.url).replaceAll('a-demo-password', password);
    const printed = execFileSync('bash', ['-c', `curl() { command curl -sS "$@"; echo; }\n${script}`], {
      encoding: 'utf8',
    });
    const answers = printed.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
    expect(answers.length).toBeGreaterThan(11);
    expect(answers.filter((answer) => 'errors' in answer && 'data' in answer)).toEqual([]);
    const refused = answers.flatMap(({ code }) => (code === undefined ? [] : [code]));
    expect(refused).toEqual(['token_missing', 'unknown_field', 'installation_mismatch']);
  });

  const inBrowser = hasBrowser ? test : test.skip;

  inBrowser('the explorers work in a browser, and load nothing from any other host', async () => {
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      const outside: string[] = [];
      const faults: string[] = [];
      page.on('request', (request) => {
        if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(product.url))
          outside.push(request.url());
      });
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(`${message.location().url}: ${message.text()}`);
      });
      await page.goto(`${product.url}/graphiql`);
      await page.getByRole('button', { name: /execute query/i }).click();
      await page.getByText('catalogListings').nth(1).waitFor();
      await page.goto(`${product.url}/docs/rest`);
      await page.getByText('/api/v1/auth/token', { exact: true }).waitFor();
      await page.goto(`${product.url}/problems/ownership_required`);
      await page.getByText('ownership_required').first().waitFor();
      expect({ outside, faults }).toEqual({ outside: [], faults: [] });
    } finally {
      await browser.close();
    }
  });

  test('a second start on the same data is refused with the reason', async () => {
    await expect(start('start/main.ts')).rejects.toThrow(/ended with 1/);
  });

  test('asked to end, it ends in order', async () => {
    running.splice(running.indexOf(product), 1);
    expect(await product.stop()).toBe(0);
  });
});

describe('router and subgraphs in processes of their own', () => {
  let router: Program;
  let urls: Record<string, string>;
  /** Starts the seo subgraph, at an address of its own unless there is one. */
  let startSeo: (url?: string) => Promise<Program>;
  let seoUrl: string;
  beforeAll(async () => {
    const database = await start('start/database.ts');
    const uri = new URL(database.ready.replace('MONGODB_URI=', ''));
    uri.pathname = '/trigate';
    const shared = { MONGODB_URI: uri.href };
    const identity = await start('start/subgraph.ts', { ...shared, IDENTITY_URL: 'http://127.0.0.1:0/' }, [
      'identity',
    ]);
    const known = { ...shared, IDENTITY_URL: identity.url };
    startSeo = (url = 'http://127.0.0.1:0/') =>
      start('start/subgraph.ts', { ...known, SEO_URL: url }, ['seo']);
    const [seo, translation] = await Promise.all([
      startSeo(),
      start('start/subgraph.ts', { ...known, TRANSLATION_URL: 'http://127.0.0.1:0/' }, ['translation']),
    ]);
    urls = { ...known, SEO_URL: seo.url, TRANSLATION_URL: translation.url };
    router = await start('start/router.ts', urls);
  }, patienceMs);

  test(
    'REST and GraphQL agree member by member on every operation',
    async () => {
      expect(await differences(router.url)).toEqual([]);
    },
    patienceMs,
  );

  test(
    'with GraphQL asked of Hive Gateway behind the signer, and REST of our router, they agree just so',
    async () => {
      const signer = await start('start/signer.ts', urls);
      const hive = await startHive(`${signer.url}/`);
      running.push(hive);
      expect(await differences(router.url, hive.url)).toEqual([]);
    },
    patienceMs,
  );

  test('a subgraph refuses whoever is not its router', async () => {
    const [identity] = running.filter(({ name, url }) => name === 'subgraph.ts' && url !== undefined);
    const answer = await fetch(identity?.url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ signingKeys { keys { kid } } }' }),
    });
    expect(answer.status).toBe(401);
  });

  test('with a subgraph down, the others answer: partial data in GraphQL, a problem in REST where it is needed', async () => {
    const seo = running.findIndex(({ printed }) => printed.includes('(seo)'));
    // It ends in order: it gives its leases back, and nothing raises the signal again.
    const [stopped] = running.splice(seo, 1);
    seoUrl = stopped?.url ?? '';
    expect(await stopped?.stop()).toBe(0);
    const styles = new BothStyles(router.url);
    const { body } = await styles.rest({
      operation: 'issueToken',
      body: { grant_type: 'password', username: 'dealer@demo.example', password },
    });
    const token = body.access_token;
    const joined = await styles.query(
      '{ listings(first: 1) { nodes { title seo { keyphrase } } } }',
      {},
      token,
    );
    expect(joined.body.data.listings.nodes[0]).toMatchObject({ title: expect.any(String), seo: null });
    expect(joined.body.errors[0]).toMatchObject({ extensions: { code: 'UPSTREAM_UNAVAILABLE' } });
    expect(await styles.rest({ operation: 'me', token })).toMatchObject({ status: 200 });
    const analysis = await styles.rest({ operation: 'seoAnalyze', body: { content: '<p>Volvo</p>' }, token });
    expect(analysis).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(analysis.headers['retry-after']).toBeDefined();
  });

  test(
    'a subgraph that is killed again and again costs nobody who does not need it, and is used when it is back',
    async () => {
      const styles = new BothStyles(router.url);
      const { body } = await styles.rest({
        operation: 'issueToken',
        body: { grant_type: 'password', username: 'dealer@demo.example', password },
      });
      const call = { body: { content: '<p>Volvo</p>' }, token: body.access_token };
      const until = async (wanted: number): Promise<void> => {
        let status = 0;
        for (let round = 0; round < 300 && status !== wanted; round++) {
          if (round > 0) await pause(200);
          ({ status } = await styles.rest({ operation: 'seoAnalyze', ...call }));
        }
        expect(status).toBe(wanted);
      };
      const fates: number[] = [];
      const over = new AbortController();
      const client = async (): Promise<void> => {
        while (!over.signal.aborted) {
          fates.push((await styles.rest({ operation: 'catalogListings' })).status);
          await pause(20);
        }
      };
      const clients = [client(), client()];
      const begun = performance.now();
      while (performance.now() - begun < 20_000) {
        const seo = await startSeo(seoUrl);
        await until(200);
        running.splice(running.indexOf(seo), 1);
        await seo.kill();
        await until(503);
      }
      over.abort();
      await Promise.all(clients);
      expect(fates.length).toBeGreaterThan(100);
      const failed = fates.filter((status) => status !== 200);
      expect(failed.length).toBeLessThanOrEqual(fates.length / 1000);
    },
    patienceMs,
  );
});
