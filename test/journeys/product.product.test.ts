import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { openBrowser } from '../support/openBrowser.ts';
import { runProgram } from '../support/runProgram.ts';
import type { Program } from '../support/startProgram.ts';
import { BothStyles } from './BothStyles.ts';
import { dataDir, differences, password, patienceMs, running, start, usePrograms } from './programs.ts';

usePrograms();

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

  test('the explorers work in a browser, and load nothing from any other host', async () => {
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
