import { obstaclesOf } from '../../../../test/support/obstaclesOf.ts';
import { pagesOf } from '../../../../test/support/pagesOf.ts';
import { product } from '../../../../test/support/product.ts';

const world = product();
const { market, stack } = world;
const { visit } = pagesOf(world);

/** Counts executions of a query by a client. */
async function use(
  client: string,
  name: string,
  coordinates: readonly string[],
  times: number,
): Promise<void> {
  for (let time = 0; time < times; time += 1)
    stack.platform.usage?.count({
      installationId: market.installation.id,
      client,
      isNamed: true,
      route: undefined,
      operation: { hash: `hash-of-${name}`, name, coordinates: [...coordinates] },
      isKnown: true,
    });
  await stack.platform.usage?.flush();
}

test('an administrator sees which clients use a field, and how often', async () => {
  await use('web', 'cars', ['Query.listings', 'Listing.title'], 3);
  await use('app', 'me', ['Query.me'], 2);
  const admin = await market.staff('installation_admin');
  const { page, close } = await visit('/docs/usage');
  await page.getByLabel('Access token').fill(admin.token);
  await page.getByLabel('Part of the schema').fill('Listing.title');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText('1 entry shown').waitFor();
  expect(await page.locator('tbody tr').allInnerTexts()).toEqual([
    expect.stringMatching(/^web\tcars\t3\t\d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
  ]);
  await page.getByLabel('Part of the schema').fill('');
  await page.getByRole('textbox', { name: 'Client' }).fill('app');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.locator('tbody tr').filter({ hasText: 'app' }).waitFor();
  expect(await page.locator('tbody').innerText()).not.toContain('cars');
  expect(await obstaclesOf(page)).toEqual([]);
  await close();
}, 60_000);

test('a caller without usage:read sees the refusal and no rows', async () => {
  await use('web', 'cars', ['Query.listings', 'Listing.title'], 1);
  const user = await market.user();
  const { page, close } = await visit('/docs/usage');
  await page.getByLabel('Access token').fill(user.token);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page
    .locator('#count')
    .filter({ hasText: /permission/i })
    .waitFor();
  expect(await page.locator('tbody tr').count()).toBe(0);
  await close();
}, 60_000);
