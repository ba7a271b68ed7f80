import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../support/openBrowser.ts';
import { type Program, startProgram } from '../support/startProgram.ts';

const root = path.join(import.meta.dirname, '../..');
const password = 'journey-password-3';
const patienceMs = 240_000;

/** What somebody does who has just heard of the product, in order; every step needs the one before. */
describe('the first half hour of a newcomer', () => {
  let directory: string;
  let product: Program;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'trigate-newcomer-'));
    const settings = {
      DATA_DIR: path.join(directory, 'data'),
      DEMO_PASSWORD: password,
      PORT: '0',
      MONGODB_URI: '',
    };
    product = await startProgram('main.ts', 'start/main.ts', settings);
    browser = await openBrowser();
    page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
    page.setDefaultTimeout(60_000);
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => {
      const url = request.url();
      if (!/^(?:data|blob):/.test(url) && !url.startsWith(product.url)) faults.push(url);
    });
  }, patienceMs);
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  /** An id of one of the dealer's cars, and the token of the dealer. */
  const known = { id: '', token: '' };

  test("the README's first command is the one that started the product", () => {
    expect(readFileSync(path.join(root, 'README.md'), 'utf8')).toMatch(
      /## Start[\s\S]*?```sh\nnpm ci && npm start\n```/,
    );
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    expect(scripts.start).toBe('node --max-semi-space-size=8 --import ./start/compileCache.js start/main.ts');
  });

  test(
    'its address shows the documentation, which leads to a guide and to what an error means',
    async () => {
      await page.goto(product.url);
      await page.waitForURL('**/docs');
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Errors' }).click();
      await page.getByRole('heading', { name: 'Errors', level: 1 }).waitFor();
      await page.getByRole('link', { name: 'a closed list' }).click();
      await page.getByRole('link', { name: 'ownership_required' }).click();
      await page.getByText('HTTP status 403').waitFor();
      expect(new URL(page.url()).pathname).toBe('/problems/ownership_required');
    },
    patienceMs,
  );

  test(
    'a car is changed over GraphQL by whoever signs in on the explorer',
    async () => {
      const answer = await fetch(`${product.url}/api/v1/auth/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'password', username: 'dealer@demo.example', password }),
      });
      known.token = ((await answer.json()) as { access_token: string }).access_token;
      const listed = await fetch(`${product.url}/api/v1/listings?stockNumber=CAR-0003`, {
        headers: { authorization: `Bearer ${known.token}` },
      });
      known.id = ((await listed.json()) as { data: { id: string }[] }).data[0]?.id ?? '';
      const query =
        'mutation change($input: UpdateListingInput!) { updateListing(input: $input) { listing { id version price { amount } } } }';
      const variables = JSON.stringify({
        input: { listingId: known.id, price: { amount: 777_700, currency: 'EUR' } },
      });
      const asked = new URLSearchParams({ query, variables }).toString();
      await page.goto(`${product.url}/graphiql?${asked}`);
      await page.getByLabel('E-mail').fill('dealer@demo.example');
      await page.getByLabel('Password').fill(password);
      await page.keyboard.press('Enter');
      await page.getByText('You ask as dealer@demo.example.').waitFor();
      const answered = page.waitForResponse((response) => response.request().postDataJSON()?.query === query);
      await page.getByRole('button', { name: /execute query/i }).click();
      expect(await (await answered).json()).toMatchObject({
        data: { updateListing: { listing: { id: known.id, price: { amount: 777_700 } } } },
      });
    },
    patienceMs,
  );

  test(
    'the REST explorer shows the same car, changed',
    async () => {
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
    },
    patienceMs,
  );

  test(
    'the audit says who may do that',
    async () => {
      await page.goto(`${product.url}/audit?q=updateListing`);
      const row = page
        .locator('tr[data-kinds]:visible')
        .filter({ hasText: 'PATCH /api/v1/listings/{listingId}' });
      await row.waitFor();
      expect(await row.innerText()).toContain('Listing of input.listingId');
    },
    patienceMs,
  );

  test('nothing of it failed on a page, or came from another host', () => {
    expect(faults).toEqual([]);
  });

  test(
    'a field that is taken away is refused by the check of the schema, by its name',
    () => {
      const copy = path.join(directory, 'copy');
      execFileSync('git', ['clone', '--quiet', '--shared', root, copy]);
      symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
      const check = () => {
        try {
          const told = execFileSync(process.execPath, ['schema/check.ts', '--base', 'HEAD'], {
            cwd: copy,
            encoding: 'utf8',
            stdio: ['ignore', 'pipe', 'pipe'],
          });
          return { status: 0, told };
        } catch (error) {
          const { status, stdout } = error as { status: number; stdout: string };
          return { status, told: stdout };
        }
      };
      expect(check()).toMatchObject({ status: 0 });
      const file = path.join(copy, 'subgraphs/identity/listing/schema.graphql');
      const sdl = readFileSync(file, 'utf8');
      const broken = sdl.replace(
        /(type Listing\b[\s\S]*?)\n {2}"[^"\n]*"\n {2}stockNumber: String\n/,
        '$1\n',
      );
      expect(broken).not.toBe(sdl);
      writeFileSync(file, broken);
      const { status, told } = check();
      expect([status, told]).toEqual([1, expect.stringContaining('Listing.stockNumber')]);
    },
    patienceMs,
  );
});
