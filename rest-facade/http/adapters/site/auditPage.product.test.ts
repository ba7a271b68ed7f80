import type { Browser } from 'playwright-core';
import type { Audit } from '../../../../schema/audit/Audit.ts';
import { openBrowser } from '../../../../test/support/openBrowser.ts';
import { openTestApp, restRoot, type TestApp } from '../../../../test/support/openTestApp.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const asJson = [['accept', 'application/json']] as const;

test('programs get the audit as JSON, with the paths of this deployment', async () => {
  const { json } = await app.send({ path: '/audit', headers: asJson });
  const { interfaces, methods, findings } = json as unknown as Audit;
  expect(findings).toEqual([]);
  expect(interfaces.A.unguarded + interfaces.B.unguarded + interfaces.C.unguarded).toBe(0);
  expect(methods).toContainEqual(
    expect.objectContaining({
      path: `${restRoot}/seo-tools/v1/analysis`,
      permission: 'seo:edit',
      rateClass: expect.any(String),
    }),
  );
  const open = methods.filter(({ public: isPublic, interface: owner }) => isPublic && owner === 'A');
  expect(open.length).toBeGreaterThan(20);
  for (const { reason } of open) expect(reason).not.toBeNull();
  for (const { path, public: isPublic, reason } of methods)
    expect([path, reason !== null]).toEqual([path, isPublic]);
});

test('the page names every method and runs nothing inline', async () => {
  const { json } = await app.send({ path: '/audit', headers: asJson });
  const { text, headers } = await app.send({ path: '/audit', headers: [['accept', 'text/html']] });
  for (const { method, path } of (json as unknown as Audit).methods)
    expect(text).toContain(`<code>${method} ${path}</code>`);
  expect(text).not.toMatch(/<script>|<style|style=| on\w+=/);
  expect(headers['content-security-policy']).toContain("script-src 'self'");
  expect(headers.vary).toContain('Accept');
});

describe('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  async function visit(path: string) {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (line) => {
      if (line.type() === 'error') faults.push(line.text());
    });
    await page.goto(`http://demo.localhost:${app.port}${path}`);
    return { page, faults };
  }

  test('methods are searched and narrowed, and the address says how', async () => {
    const { page, faults } = await visit('/audit');
    const shown = page.locator('tr[data-kinds]:visible');
    const all = await shown.count();
    await page.getByLabel('Search').fill('refunds payments:refund listings');
    await page.getByText(/^0 of/).waitFor();
    await page.getByLabel('Search').fill('moderate reject');
    await page.getByText(/^1 of/).waitFor();
    expect(await shown.innerText()).toContain('POST /api/v1/admin/listings/{listingId}/reject');
    await page.getByLabel('Search').fill('');
    await page.getByLabel('Guarded by').selectOption('public');
    await page.getByLabel('Interface').selectOption('A');
    expect(new URL(page.url()).search).toBe('?interface=A&kind=public');
    const open = await shown.count();
    expect(open).toBeGreaterThan(15);
    expect(open).toBeLessThan(all);
    await page.reload();
    expect(await shown.count()).toBe(open);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('a method leads to its place in both explorers', async () => {
    const { page } = await visit('/audit?q=rejectListing');
    await page.getByRole('link', { name: 'Mutation.rejectListing' }).click();
    const editor = page.locator('.graphiql-query-editor .CodeMirror-code');
    await editor.filter({ hasText: 'mutation rejectListing' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'POST /api/v1/admin/listings/{listingId}/reject' }).click();
    await page.locator('.opblock.is-open').waitFor();
    expect(await page.locator('.opblock.is-open').innerText()).toContain(
      '/admin/listings/{listingId}/reject',
    );
    await page.goto(`http://demo.localhost:${app.port}/audit?q=defaultLanguage&interface=graphql`);
    await page.getByRole('link', { name: 'Query.defaultLanguage' }).click();
    await editor.filter({ hasText: 'query defaultLanguage { defaultLanguage {' }).waitFor();
    await page.close();
  }, 60_000);

  test('the contract is read whole or one interface at a time', async () => {
    const { page, faults } = await visit('/docs/rest');
    await page.getByRole('heading', { name: /^Trigate\s/ }).waitFor();
    await page.getByRole('link', { name: 'C: translation' }).click();
    await page.getByRole('heading', { name: /^Trigate: Translation API/ }).waitFor();
    expect(await page.locator('.contracts [aria-current]').innerText()).toBe('C: translation');
    expect(await page.locator('.opblock').count()).toBeGreaterThan(5);
    expect(faults).toEqual([]);
    await page.close();
  }, 60_000);
});
