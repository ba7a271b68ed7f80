import type { BrowserContextOptions, Page } from 'playwright-core';
import { obstaclesOf } from '../../../../test/support/obstaclesOf.ts';
import { pagesOf } from '../../../../test/support/pagesOf.ts';
import { product } from '../../../../test/support/product.ts';

const world = product();
const { visit } = pagesOf(world);

test('the type of a problem is the address of a page that explains it', async () => {
  const { body } = await world.rest('GET', '/api/v1/me');
  const { pathname } = new URL(String(body.type));
  const page = await world.rest('GET', pathname, { headers: { accept: 'text/html' } });
  expect(page.status).toBe(200);
  expect(page.body).toContain('<code>token_missing</code>, HTTP status 401');
});

test.each(['/docs/nothing', '/docs/routes/nothing', '/docs/__proto__', '/docs/..%2fpackage.json'])(
  '%s returns 404',
  async (path) => {
    expect(await world.rest('GET', path)).toBeRefused(404, 'not_found');
  },
);

test('a page with a matching ETag returns 304', async () => {
  const { headers } = await world.rest('GET', '/docs/errors');
  const known = { 'if-none-match': String(headers.get('etag')) };
  const again = await world.rest('GET', '/docs/errors', { headers: known });
  expect([again.status, again.body]).toEqual([304, null]);
});

/** What Swagger UI leaves in the way of some readers. */
const ofSwagger = {
  label: 'It labels fields that cannot be edited only by the row of their parameter.',
  'scrollable-region-focusable': 'Browsers give the focus to its examples, which scroll.',
};

/** One page of each kind. */
const kinds = [
  '/docs/states',
  '/docs/routes/media',
  '/docs/rest?of=c',
  '/problems/invalid_transition',
  '/audit',
  '/docs/nothing',
];

describe('documentation pages in a browser', () => {
  /** Opens a page, runs `work` on it and fails if the page was faulty. */
  async function visiting(
    path: string,
    work: (page: Page) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<void> {
    const { page, close } = await visit(path, options);
    await work(page);
    await close();
  }

  test.each(kinds)(
    '%s is accessible in light and in dark colours',
    (path) =>
      visiting(path, async (page) => {
        if (!path.startsWith('/docs/rest')) return expect(await obstaclesOf(page)).toEqual([]);
        await page.locator('.opblock-get button').first().click();
        await page.locator('.parameter__in').first().waitFor();
        expect(await obstaclesOf(page, ofSwagger)).toEqual([]);
      }),
    60_000,
  );

  test(
    'the keyboard reaches the content, the search and the colour switch, and focus is visible',
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
    'the colour switch is remembered and overrides the system setting',
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
    'the search finds pages, headings and routes, and opens them',
    () =>
      visiting('/docs', async (page) => {
        const field = page.getByRole('searchbox', { name: 'Search' });
        await field.fill('mark-sold');
        await page.locator('#found a').first().waitFor();
        await page.getByRole('link', { name: /POST .*mark-sold/ }).click();
        await page.waitForURL('**/docs/routes/listing#*');
        await page.getByRole('searchbox', { name: 'Search' }).fill('qqqq zzzz');
        await page.getByText('No results. Try other words.').waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('navigation', { name: 'Pages' }).waitFor();
        expect(await page.getByText('No results. Try other words.').isVisible()).toBe(false);
      }),
    60_000,
  );

  test(
    'an old link to the explorer redirects to its new address',
    () =>
      visiting('/docs?of=c#/translation/languages', async (page) => {
        await page.waitForURL('**/docs/rest?of=c#/translation/languages');
        const open = page.locator('.opblock.is-open');
        await open.waitFor();
        expect(await open.getAttribute('id')).toContain('languages');
      }),
    60_000,
  );
});
