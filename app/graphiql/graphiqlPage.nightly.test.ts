import type { Page } from 'playwright-core';
import { explorerOf, explorerPassword as password } from '../../test/support/explorerOf.ts';
import { activateFactor } from '../../test/support/people/secondFactor.ts';
import { product } from '../../test/support/product.ts';

const world = product();
const { market } = world;
const { origin, visit, signIn } = explorerOf(world);

describe('GraphQL explorer in a browser', () => {
  test('a reload keeps the session of the tab, and another tab has none', async () => {
    const user = await market.user({ password });
    const { page, close, ask } = await visit('{ me { id } }');
    await signIn(page, user.email);
    await page.reload();
    await page.getByText(`You are signed in as ${user.email}.`).waitFor();
    expect(JSON.parse(await ask())).toMatchObject({ data: { me: { id: user.id } } });
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByText('You are not signed in.').waitFor();
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('eyJ');
    await close();
  }, 60_000);

  test('an expired access token is renewed once, also for a copy of the tab', async () => {
    const user = await market.user({ password });
    const { page, close, ask } = await visit('{ me { id } }');
    await signIn(page, user.email);
    const stored = await page.evaluate(() => sessionStorage.getItem('explorer-session') ?? '');
    const old = JSON.stringify({ ...JSON.parse(stored), expiresAt: 0 });
    const copy = await page.context().newPage();
    await copy.addInitScript((text) => sessionStorage.setItem('explorer-session', text), stored);
    await copy.goto(page.url());
    await page.evaluate((text) => sessionStorage.setItem('explorer-session', text), old);
    await page.reload();
    expect(JSON.parse(await ask())).toMatchObject({ data: { me: { id: user.id } } });
    const tokenOf = (from: Page) => from.evaluate(() => sessionStorage.getItem('explorer-session'));
    expect(await tokenOf(page)).not.toContain(JSON.parse(stored).refresh);
    expect(await tokenOf(copy)).toBe(await tokenOf(page));
    await close();
  }, 60_000);

  test('an example leaves the text of the user in its tab', async () => {
    const { page, close } = await visit('{ catalogListings(first: 1) { nodes { id } } }');
    await page.getByRole('button', { name: 'Show Examples' }).click();
    await page.getByRole('button', { name: 'Languages of the marketplace' }).click();
    await page.locator('.result-window').filter({ hasText: 'english' }).waitFor();
    expect(await page.getByRole('tab').count()).toBe(2);
    await close();
  }, 60_000);

  test('request headers can be edited after they are switched on', async () => {
    const { page, close } = await visit('{ catalogListings(first: 1) { nodes { id } } }');
    const headers = page.getByRole('button', { name: 'Headers', exact: true });
    await page.getByRole('button', { name: 'Variables' }).waitFor();
    expect(await headers.count()).toBe(0);
    await page.getByLabel('Edit request headers').check();
    await headers.click();
    expect(await headers.getAttribute('class')).toContain('active');
    await close();
  }, 60_000);

  test('the explorer has the colours that the documentation was switched to', async () => {
    const { page, close } = await visit('{ catalogListings(first: 1) { nodes { id } } }');
    const theme = () => page.evaluate(() => document.body.className.match(/graphiql-\w+/)?.[0]);
    await page.getByRole('button', { name: 'Colours: system' }).click();
    await page.locator('body.graphiql-light').waitFor();
    await page.goto(`${await origin()}/docs`);
    await page.getByRole('button', { name: 'Colours: light' }).click();
    await page.goto(`${await origin()}/graphiql`);
    await page.locator('body.graphiql-dark').waitFor();
    expect(await theme()).toBe('graphiql-dark');
    await close();
  }, 60_000);

  test('an account with a second factor is asked for its code', async () => {
    const user = await market.user({ password });
    const factor = await activateFactor({
      stack: world.stack,
      as: user,
      installation: market.installation,
    });
    const { page, close, ask } = await visit('{ me { id } }');
    await page.getByLabel('E-mail').fill(user.email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByLabel('Code').fill(factor.recoveryCodes[0] ?? '');
    await page.keyboard.press('Enter');
    await page.getByText(`You are signed in as ${user.email}.`).waitFor();
    expect(JSON.parse(await ask())).toMatchObject({ data: { me: { id: user.id } } });
    await close();
  }, 60_000);
});
