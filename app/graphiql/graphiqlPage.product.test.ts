import type { Page } from 'playwright-core';
import { addOperator } from '../../subgraphs/identity/people/operator/addOperator.ts';
import { obstaclesOf } from '../../test/support/obstaclesOf.ts';
import { pagesOf } from '../../test/support/pagesOf.ts';
import { openAuthenticator } from '../../test/support/people/authenticator.ts';
import { activateFactor } from '../../test/support/people/secondFactor.ts';
import { product } from '../../test/support/product.ts';
import { unique } from '../../test/support/seed.ts';

const password = 'plum-tractor-9-violin';
const world = product();
const { market } = world;
const pages = pagesOf(world);

/** What GraphiQL itself leaves in the way of some readers; everything else would be found. */
const ofGraphiql = {
  'nested-interactive': 'Its tabs are list items with a button inside; keys reach and press the button.',
  'scrollable-region-focusable': 'Its editors scroll with the text field in them, which has the focus.',
};

/** Signs in with the form of the explorer; `code` for an operator. */
async function signIn(page: Page, email: string, code?: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  if (code !== undefined) await page.getByLabel('Code').fill(code);
  await page.keyboard.press('Enter');
  await page.getByText(`You are signed in as ${email}.`).waitFor();
}

describe('GraphQL explorer in a browser', () => {
  async function visit(query: string) {
    const { page, close } = await pages.visit(`/graphiql?query=${encodeURIComponent(query)}`);
    const ask = async (): Promise<string> => {
      // Besides, the explorer asks for the schema.
      const answered = page.waitForResponse((response) => response.request().postDataJSON()?.query === query);
      await page.getByRole('button', { name: /execute query/i }).click();
      return (await answered).text();
    };
    return { page, close, ask };
  }

  test('a user who signs in queries as that user, and anonymously after signing out', async () => {
    const user = await market.user({ password });
    const { page, close, ask } = await visit('{ me { id } }');
    expect(await ask()).toContain('UNAUTHENTICATED');
    await page.getByLabel('E-mail').fill(user.email);
    await page.getByLabel('Password').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasNotText: 'stranger' }).waitFor();
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByText(`You are signed in as ${user.email}.`).waitFor();
    expect(JSON.parse(await ask())).toMatchObject({ data: { me: { id: user.id } } });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are not signed in.').waitFor();
    expect(await ask()).toContain('UNAUTHENTICATED');
    expect(await obstaclesOf(page, ofGraphiql)).toEqual([]);
    await close();
  }, 60_000);

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

  test('an example runs when its button is pressed, and a subscription shows the events of the user', async () => {
    const user = await market.user({ password });
    const { page, close } = await pages.visit('/graphiql');
    const answer = page.locator('.result-window');
    await page.getByRole('button', { name: 'Count cars by price and condition' }).click();
    await answer.filter({ hasText: 'catalogFacets' }).waitFor();
    await signIn(page, user.email);
    await page.getByRole('button', { name: 'My events, as they happen' }).click();
    await answer.filter({ hasText: 'cursor' }).waitFor();
    await user.listing();
    await world.stack.runJob('identity.relay');
    await answer.filter({ hasText: 'listing.created' }).waitFor();
    // The next example ends the subscription.
    await page.getByRole('button', { name: 'My profile and permissions' }).click();
    await answer.filter({ hasText: 'displayName' }).waitFor();
    expect(await page.getByRole('tab').count()).toBe(1);
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
    await page.goto(`${await pages.origin()}/docs`);
    await page.getByRole('button', { name: 'Colours: light' }).click();
    await page.goto(`${await pages.origin()}/graphiql`);
    await page.locator('body.graphiql-dark').waitFor();
    expect(await theme()).toBe('graphiql-dark');
    await close();
  }, 60_000);

  test('an operator sees the plan of the operation, and another user has no button for it', async () => {
    const { operator, otpauthUri } = await addOperator(
      { name: unique('ada'), password },
      { ...world.stack.platform, issuer: 'trigate.test' },
    );
    const codes = openAuthenticator(new URL(otpauthUri).searchParams.get('secret') ?? '');
    const { page, close } = await visit('{ catalogListings(first: 1) { nodes { id title } } }');
    const plan = page.getByRole('button', { name: 'Show Query plan' });
    expect(await plan.count()).toBe(0);
    await signIn(page, operator.name, codes.code(world.stack.platform.now()));
    await plan.click();
    await page.getByRole('button', { name: 'Show the plan' }).click();
    const text = page.getByRole('region', { name: 'Query plan' }).locator('pre');
    await text.filter({ hasText: 'Fetch from identity' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are not signed in.').waitFor();
    await plan.waitFor({ state: 'detached' });
    expect(await plan.count()).toBe(0);
    await close();
  }, 60_000);

  test('the keyboard can skip the form, and a narrow screen shows the result below the operation', async () => {
    const { page, close, ask } = await visit('{ catalogListings(first: 1) { nodes { id } } }');
    await page.setViewportSize({ width: 390, height: 800 });
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('Skip to the explorer');
    await page.keyboard.press('Enter');
    expect(await page.locator(':focus').getAttribute('id')).toBe('graphiql');
    await ask();
    const answer = page.locator('.result-window');
    await answer.filter({ hasText: 'catalogListings' }).waitFor();
    expect((await answer.boundingBox())?.width).toBeGreaterThan(250);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
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
