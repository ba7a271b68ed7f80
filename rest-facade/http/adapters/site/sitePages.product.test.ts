import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { obstaclesOf } from '../../../../test/support/obstaclesOf.ts';
import { openBrowser } from '../../../../test/support/openBrowser.ts';
import { openTestApp, type TestApp } from '../../../../test/support/openTestApp.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('the address that a problem states shows what it means', async () => {
  const { json } = await app.send({ path: '/api/v1/me' });
  const { pathname } = new URL(String(json.type));
  const { status, text } = await app.send({ path: pathname, headers: [['accept', 'text/html']] });
  expect([status, text.includes('<code>token_missing</code>, HTTP status 401')]).toEqual([200, true]);
});

test.each(['/docs/nothing', '/docs/routes/nothing', '/docs/__proto__', '/docs/..%2fpackage.json'])(
  'there is no page %s',
  async (path) => {
    expect((await app.send({ path })).json).toMatchObject({ status: 404, code: 'not_found' });
  },
);

test('a page that is known is not sent again', async () => {
  const { headers } = await app.send({ path: '/docs/errors' });
  const again = await app.send({
    path: '/docs/errors',
    headers: [['if-none-match', String(headers.etag)]],
  });
  expect([again.status, again.text]).toEqual([304, '']);
});

/** One page of each kind. */
const kinds = [
  '/docs',
  '/docs/listings',
  '/docs/states',
  '/docs/changelog',
  '/docs/routes',
  '/docs/routes/media',
  '/docs/rest?of=c',
  '/problems',
  '/problems/invalid_transition',
  '/audit',
];

describe('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  /** Runs a visit; a request to another host, or an error on the page, fails it. */
  async function visiting(
    path: string,
    visit: (page: Page) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<void> {
    const origin = `http://demo.localhost:${app.port}`;
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(origin) && !/^(?:data|blob):/.test(request.url()))
        faults.push(request.url());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (line) => {
      if (line.type() === 'error') faults.push(line.text());
    });
    await page.goto(origin + path);
    await visit(page);
    await context.close();
    expect(faults).toEqual([]);
  }

  test.each(kinds)(
    '%s keeps nobody out, in light colours or dark ones',
    (path) =>
      visiting(path, async (page) => {
        if (path.startsWith('/docs/rest')) await page.locator('.opblock').first().waitFor();
        expect(await obstaclesOf(page)).toEqual([]);
      }),
    60_000,
  );

  test(
    'the keyboard reaches content, search and switch, and shows where it is',
    () =>
      visiting('/docs/errors', async (page) => {
        await page.keyboard.press('Tab');
        expect(await page.locator(':focus').innerText()).toBe('Skip to the content');
        expect(await page.locator(':focus').evaluate((link) => getComputedStyle(link).outlineStyle)).toBe(
          'solid',
        );
        await page.keyboard.press('Enter');
        expect(await page.locator(':focus').getAttribute('id')).toBe('content');
        await page.getByRole('button', { name: /^Colours/ }).focus();
        await page.keyboard.press('Enter');
        await page.keyboard.press('Enter');
        expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
      }),
    60_000,
  );

  test(
    'the switch is remembered, and stronger than the system',
    () =>
      visiting(
        '/docs/errors',
        async (page) => {
          const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
          const dark = await ground();
          const button = page.getByRole('button', { name: /^Colours/ });
          await button.click();
          expect(await button.innerText()).toBe('Colours: light');
          const light = await ground();
          expect(light).not.toBe(dark);
          await page.goto(new URL('/problems', page.url()).href);
          expect(await ground()).toBe(light);
        },
        { colorScheme: 'dark' },
      ),
    60_000,
  );

  test(
    'a search finds pages, headings and routes, and leads there',
    () =>
      visiting('/docs', async (page) => {
        const field = page.getByRole('searchbox', { name: 'Search' });
        await field.fill('mark-sold');
        await page.locator('#found a').first().waitFor();
        await page.getByRole('link', { name: /POST .*mark-sold/ }).click();
        await page.waitForURL('**/docs/routes/listing#*');
        await page.getByRole('searchbox', { name: 'Search' }).fill('no such words');
        await page.getByText('Nothing has these words.').waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('navigation', { name: 'Pages' }).waitFor();
        expect(await page.getByText('Nothing has these words.').isVisible()).toBe(false);
      }),
    60_000,
  );

  test(
    'a link to the explorer of before leads to it',
    () =>
      visiting('/docs#/listing/updateListing', async (page) => {
        await page.waitForURL('**/docs/rest#/listing/updateListing');
        const open = page.locator('.opblock.is-open');
        await open.waitFor();
        expect(await open.getAttribute('id')).toContain('updateListing');
      }),
    60_000,
  );
});
