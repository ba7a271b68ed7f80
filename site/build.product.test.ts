import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../test/support/openBrowser.ts';
import { listenLocally } from '../test/support/servers/listenLocally.ts';
import { perFile } from '../test/support/stack/lazily.ts';
import { runProgram } from '../test/support/stack/runProgram.ts';
import { tempFolder } from '../test/support/tempFolder.ts';

const out = tempFolder();
/** Folder of the site that is built without the address of a product. */
let folder: string;
beforeAll(async () => {
  folder = path.join(out, 'alone');
  const { code, stderr } = await runProgram('bin/docs.ts', ['--out', folder], {});
  expect([code, stderr]).toEqual([0, '']);
}, 60_000);

function pagesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'));
}

test('every link of the static site is relative and leads to an existing file and anchor', () => {
  const pages = pagesIn(folder);
  expect(pages.length).toBeGreaterThan(150);
  const lost: string[] = [];
  for (const page of pages) {
    const html = readFileSync(path.join(folder, page), 'utf8');
    for (const [, link = ''] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      if (/^(?:https?:|data:)/.test(link)) continue;
      const [, file = '', fragment = ''] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/.exec(link) ?? [];
      const target = file === '' ? path.join(folder, page) : path.join(folder, path.dirname(page), file);
      const isThere = !file.startsWith('/') && existsSync(target);
      const hasPlace =
        fragment === '' ||
        fragment.startsWith('/') ||
        (isThere && readFileSync(target, 'utf8').includes(` id="${fragment}"`));
      if (!isThere || !hasPlace) lost.push(`${page}: ${link}`);
    }
  }
  expect(lost).toEqual([]);
});

test('a site that is built with --product has explorers and contracts with its address', async () => {
  const beside = path.join(out, 'beside');
  const product = 'https://api.example';
  const { code } = await runProgram('bin/docs.ts', ['--out', beside, '--product', `${product}/`], {});
  expect(code).toBe(0);
  expect(readFileSync(path.join(beside, 'index.html'), 'utf8')).toContain(`href="${product}/graphiql"`);
  const { servers } = JSON.parse(readFileSync(path.join(beside, 'api/v1/openapi.json'), 'utf8'));
  expect(servers).toEqual([{ url: product }]);
  const explorer = readFileSync(path.join(beside, 'docs/rest.html'), 'utf8');
  expect(explorer).toContain(`connect-src ${product};`);
}, 60_000);

test.each([[[]], [['--out', 'x', '--product', 'javascript:1']]])(
  'bin/docs.ts refuses the options %j with exit code 2 and its usage',
  async (args) => {
    const { code, stderr } = await runProgram('bin/docs.ts', args, {});
    expect([code, stderr]).toEqual([2, expect.stringContaining('--out DIR')]);
  },
);

describe('the static site in a browser', () => {
  let browser: Browser;
  const host = createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url ?? '', 'http://host.test').pathname);
    const file = path.join(folder, name.replace(/^\/deep\/down/, ''));
    if (!name.startsWith('/deep/down/') || !existsSync(file)) return response.writeHead(404).end();
    const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' } as const;
    const type = types[path.extname(file) as keyof typeof types] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type }).end(readFileSync(file));
  });
  const local = perFile(() => listenLocally(host));
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    // First, because without a browser the next line fails, and an open server keeps jest from exiting.
    await local.close();
    await browser.close();
  });

  /** Visits the pages of the site, and returns requests to other addresses and errors. */
  async function walk(base: string): Promise<string[]> {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(base) && !request.url().startsWith('data:')) faults.push(request.url());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (line) => {
      if (line.type() === 'error') faults.push(line.text());
    });
    await page.goto(`${base}index.html`);
    await search(page);
    await page.getByRole('link', { name: 'REST', exact: true }).click();
    await page.locator('.opblock').first().waitFor();
    await page.getByRole('link', { name: 'C: translation' }).click();
    await page.getByRole('heading', { name: /^Trigate: Translation API/ }).waitFor();
    await page.locator('.opblock-summary-control').first().click();
    await page.locator('.opblock.is-open .responses-wrapper').waitFor();
    // Without a product, the explorer has nothing to send requests to.
    expect(await page.getByRole('button', { name: /try it out/i }).count()).toBe(0);
    await page.getByRole('link', { name: 'Audit', exact: true }).click();
    // The script of the page has started once it shows a count.
    await page.getByText(/^\d+ of/).waitFor();
    await page.getByLabel('Search').fill('moderate reject');
    await page.getByText(/^1 of/).waitFor();
    await page.close();
    return faults;
  }

  async function search(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Colours: system' }).click();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('light');
    await page.getByRole('searchbox', { name: 'Search' }).fill('idempotency key reused');
    await page.getByRole('link', { name: 'Idempotency key reused' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Idempotency key reused' }).waitFor();
  }

  test('can be searched when its pages are opened as files', async () => {
    const page = await browser.newPage();
    await page.goto(`${pathToFileURL(folder).href}/index.html`);
    await search(page);
    expect(page.url()).toMatch(/^file:.*idempotency_key_reused/);
    await page.close();
  }, 60_000);

  test('works below a path of another host, without requests to other addresses or errors', async () => {
    expect(await walk(`${local.url}/deep/down/`)).toEqual([]);
  }, 60_000);
});
