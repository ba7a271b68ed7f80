import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import mongoose from 'mongoose';
import type { Browser, Page } from 'playwright-core';
import { embeddedUriFile } from '../../app/services/openDatabase.ts';
import { openBrowser } from '../support/openBrowser.ts';
import { recordFaults } from '../support/pagesOf.ts';
import { runProgram } from '../support/stack/runProgram.ts';
import type { Program } from '../support/stack/startProgram.ts';
import { linesOf, someEvent, writeBeside } from './guides/guidePrograms.ts';
import { BothStyles } from './parity/BothStyles.ts';
import {
  dataDir,
  differences,
  password,
  patienceMs,
  running,
  start,
  usePrograms,
} from './parity/programs.ts';

usePrograms();

const askForUri = () => runProgram('bin/databaseUri.ts', [], { DATA_DIR: dataDir, MONGODB_URI: '' });

describe('with one process and the embedded database', () => {
  let product: Program;
  beforeAll(async () => {
    const { code, stderr } = await askForUri();
    expect([code, stderr]).toEqual([1, expect.stringContaining('Start one with npm start')]);
    product = await start('bin/main.ts');
  }, patienceMs);

  test(
    'REST and GraphQL return equal members for every operation',
    async () => {
      expect(await differences(product.url)).toEqual([]);
    },
    patienceMs,
  );

  test(
    'a command connects to the embedded database of the running process',
    async () => {
      const settings = { DATA_DIR: dataDir, MONGODB_URI: '' };
      const { code, stdout } = await runProgram('bin/keys.ts', ['list'], settings);
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(/embedded database of the running process[\s\S]* current /),
      ]);
    },
    patienceMs,
  );

  test('database:uri prints the address of the embedded database, which only the user of the process can read', async () => {
    const { code, stdout } = await askForUri();
    expect(code).toBe(0);
    expect(statSync(embeddedUriFile(dataDir)).mode & 0o777).toBe(0o600);
    const client = await mongoose.mongo.MongoClient.connect(stdout.trim());
    expect(await client.db('trigate').collection('signing_keys').countDocuments()).toBeGreaterThan(0);
    await client.close();
  });

  test(
    'the usage ledger of a running product is exported to a file',
    async () => {
      const file = path.join(dataDir, 'usage.jsonl');
      const settings = { DATA_DIR: dataDir, MONGODB_URI: '' };
      const { code, stdout } = await runProgram(
        'bin/installations.ts',
        ['export-usage', file, '--days', '1'],
        settings,
      );
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(/usage\.jsonl: \d+ lines of 2 installations\n$/),
      ]);
      expect(readFileSync(file, 'utf8')).toMatch(/^(?:\{.*\}\n)*$/);
    },
    patienceMs,
  );

  test('the examples that the start prints run without errors', () => {
    const commands = product.printed.split('\n').filter((line) => /^ {4}(curl|TOKEN=)/.test(line));
    expect(commands).toHaveLength(6);
    const script = commands
      .map((command) => (command.includes('TOKEN=$(') ? command : `${command} -sS --fail-with-body; echo`))
      .join('\n');
    const answers = execFileSync('bash', ['-e', '-c', script], { encoding: 'utf8' }).trim().split('\n');
    expect(answers).toHaveLength(5);
    for (const answer of answers) expect(JSON.parse(answer)).not.toHaveProperty('errors');
  });

  test("the README's first command is npm start, which runs bin/main.ts", () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    expect(readme).toMatch(/## Start[\s\S]*?```sh\nnpm ci && npm start\n```/);
    const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(scripts.start).toMatch(/^node .* bin\/main\.ts$/);
  });

  test("the README's tour runs as written and prints the documented refusals", () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const tour = /## A tour[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    const script = tour.replace('http://localhost:4000', product.url).replaceAll('a-demo-password', password);
    const printed = execFileSync('bash', ['-c', `curl() { command curl -sS "$@"; echo; }\n${script}`], {
      encoding: 'utf8',
    });
    const answers = printed.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
    expect(answers.length).toBeGreaterThan(9);
    expect(answers.filter((answer) => 'errors' in answer && 'data' in answer)).toEqual([]);
    const refused = answers.flatMap(({ code }) => (code === undefined ? [] : [code]));
    expect(refused).toEqual(['token_missing', 'unknown_field', 'installation_mismatch']);
  });

  test(
    'the program of the guide of urql reads a list, recognises a refusal and follows an event',
    async () => {
      const guides = ['build-a-frontend', 'frontend-urql'];
      const place = writeBeside(path.join(dataDir, 'guide'), guides, { url: product.url, password });
      const list = expect.stringMatching(/^4 cars of two pages/);
      expect(await linesOf(place)).toEqual([list, 'refused: precondition_failed', someEvent]);
    },
    patienceMs,
  );

  describe('in a browser', () => {
    let browser: Browser;
    let page: Page;
    let faults: string[];
    /** An id of one of the dealer's cars, and the access token of the dealer. */
    const known = { id: '', token: '' };
    beforeAll(async () => {
      browser = await openBrowser();
      page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
      faults = recordFaults(page, product.url);
    });
    afterAll(() => browser.close());

    test('the root address opens the documentation, which contains a guide and the page of an error', async () => {
      await page.goto(product.url);
      await page.waitForURL('**/docs');
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Errors' }).click();
      await page.getByRole('heading', { name: 'Errors', level: 1 }).waitFor();
      await page.goto(`${product.url}/problems/ownership_required`);
      await page.getByText('HTTP status 403').waitFor();
      expect(await page.title()).toBe('Ownership required · Trigate');
    });

    test('a dealer signs in on the GraphQL explorer and changes a car', async () => {
      const styles = new BothStyles(product.url);
      const credentials = { grant_type: 'password', username: 'dealer@demo.example', password };
      known.token = (await styles.rest({ operation: 'issueToken', body: credentials })).body.access_token;
      const listed = await styles.rest({
        operation: 'listings',
        query: 'stockNumber=CAR-0003',
        token: known.token,
      });
      known.id = listed.body.data[0].id;
      const query =
        'mutation change($input: UpdateListingInput!) { updateListing(input: $input) { listing { id version price { amount } } } }';
      const variables = JSON.stringify({
        input: { listingId: known.id, price: { amount: 777_700, currency: 'EUR' } },
      });
      await page.goto(`${product.url}/graphiql?${new URLSearchParams({ query, variables })}`);
      await page.getByLabel('E-mail').fill('dealer@demo.example');
      await page.getByLabel('Password').fill(password);
      await page.keyboard.press('Enter');
      await page.getByText('You are signed in as dealer@demo.example.').waitFor();
      const answered = page.waitForResponse((response) => response.request().postDataJSON()?.query === query);
      await page.getByRole('button', { name: /execute query/i }).click();
      expect(await (await answered).json()).toMatchObject({
        data: { updateListing: { listing: { id: known.id, price: { amount: 777_700 } } } },
      });
    });

    test('the REST explorer of the whole contract shows the changed car', async () => {
      await page.goto(`${product.url}/docs/rest#/listing/listing`);
      const route = page.locator('#operations-listing-listing');
      await route.and(page.locator('.is-open')).waitFor();
      await route.locator('.authorization__btn').first().click();
      const form = page.locator('.auth-container').filter({ hasText: 'bearer' });
      await form.locator('input').fill(known.token);
      await form.locator('button.authorize').click();
      await page.locator('.auth-container button.btn-done').first().click();
      await route.getByRole('button', { name: 'Try it out' }).click();
      await route.getByPlaceholder('listingId').fill(known.id);
      const answered = page.waitForResponse((response) =>
        response.url().endsWith(`/api/v1/listings/${known.id}`),
      );
      await route.getByRole('button', { name: 'Execute' }).click();
      const response = await answered;
      expect([response.status(), (await response.json()).price]).toEqual([
        200,
        { amount: 777_700, currency: 'EUR' },
      ]);
    }, 60_000);

    test('no page throws an error or requests another host', () => {
      expect(faults).toEqual([]);
    });
  });

  test('a second start on the same data exits with 1', async () => {
    await expect(start('bin/main.ts')).rejects.toThrow(/ended with 1/);
  });

  test('the product exits with 0 after SIGTERM', async () => {
    running.splice(running.indexOf(product), 1);
    expect(await product.stop()).toBe(0);
  });
});
