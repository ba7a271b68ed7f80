import { obstaclesOf } from '../../../../test/support/obstaclesOf.ts';
import { pagesOf } from '../../../../test/support/pagesOf.ts';
import { product } from '../../../../test/support/product.ts';

const { visit } = pagesOf(product());

test('the history page shows in which release a field was removed, and keeps the search in its address', async () => {
  const { page, close } = await visit('/docs/history');
  const shown = page.locator('tbody tr:visible');
  await page.getByText(/^\d+ of \d+ shown$/).waitFor();
  await page.getByLabel('Name').fill('AuditActor');
  await page.getByLabel('Status').selectOption('removed');
  await page.getByText(/^1 of/).waitFor();
  expect(await shown.allInnerTexts()).toEqual([
    expect.stringMatching(/^AuditActor\.id\s+field\s+first release\s+\S/),
  ]);
  // Axe needs seconds for the thousands of hidden rows.
  await page.locator('tbody').evaluate((rows) => {
    for (const row of rows.querySelectorAll('tr[hidden]')) row.remove();
  });
  expect(await obstaclesOf(page)).toEqual([]);
  await page.reload();
  await page.getByText(/^1 of/).waitFor();
  expect(new URL(page.url()).search).toBe('?q=AuditActor&status=removed');
  await close();
}, 60_000);

test('the history page shows in which release a route was added', async () => {
  const { page, close } = await visit('/docs/history?style=rest&q=GET+/api/v1/media/{mediaId}/download');
  await page.getByText(/^1 of/).waitFor();
  expect(await page.locator('tbody tr:visible').innerText()).toMatch(
    /^GET \/api\/v1\/media\/\{mediaId\}\/download\s+route\s+\S/,
  );
  await close();
}, 60_000);
