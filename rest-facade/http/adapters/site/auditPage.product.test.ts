import type { Audit } from '../../../../schema/audit/Audit.ts';
import { pagesOf } from '../../../../test/support/pagesOf.ts';
import { product } from '../../../../test/support/product.ts';
import { restRoot } from '../../../../test/support/stack/serveStack.ts';

const world = product();
const { origin, visit } = pagesOf(world);

const readAudit = async (): Promise<Audit> =>
  (await world.rest('GET', '/audit', { headers: { accept: 'application/json' } })).body;

test('the audit is available as JSON with the paths of this deployment', async () => {
  const { interfaces, methods, findings } = await readAudit();
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

test('the audit page lists every method and runs no inline script', async () => {
  const { body: text, headers } = await world.rest('GET', '/audit', { headers: { accept: 'text/html' } });
  for (const { method, path } of (await readAudit()).methods)
    expect(text).toContain(`<code>${method} ${path}</code>`);
  expect(text).not.toMatch(/<script>|<style|style=| on\w+=/);
  expect(headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(headers.get('vary')).toContain('Accept');
});

describe('audit page in a browser', () => {
  test('the audit page searches and filters methods and keeps the filter in its address', async () => {
    const { page, close } = await visit('/audit');
    const shown = page.locator('tbody tr:visible');
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
    await close();
  });

  test('a method on the audit page links to its place in both explorers, and the REST explorer switches between interfaces', async () => {
    const { page, close } = await visit('/audit?q=rejectListing');
    await page.getByRole('link', { name: 'Mutation.rejectListing' }).click();
    const editor = page.locator('.graphiql-query-editor .CodeMirror-code');
    await editor.filter({ hasText: 'mutation rejectListing' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'POST /api/v1/admin/listings/{listingId}/reject' }).click();
    await page.locator('.opblock.is-open').waitFor();
    expect(await page.locator('.opblock.is-open').innerText()).toContain(
      '/admin/listings/{listingId}/reject',
    );
    await page.getByRole('link', { name: 'C: translation' }).click();
    await page.getByRole('heading', { name: /^Trigate: Translation API/ }).waitFor();
    expect(await page.locator('.contracts [aria-current]').innerText()).toBe('C: translation');
    expect(await page.locator('.opblock').count()).toBeGreaterThan(5);
    await page.goto(`${await origin()}/audit?q=defaultLanguage&interface=graphql`);
    await page.getByRole('link', { name: 'Query.defaultLanguage' }).click();
    await editor.filter({ hasText: 'query defaultLanguage { defaultLanguage {' }).waitFor();
    await close();
  }, 60_000);
});
