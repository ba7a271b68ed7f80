import { obstaclesOf } from '../../test/support/obstaclesOf.ts';
import { pagesOf } from '../../test/support/pagesOf.ts';
import { activateFactor } from '../../test/support/people/secondFactor.ts';
import { product } from '../../test/support/product.ts';

const password = 'plum-tractor-9-violin';
const world = product();
const { market } = world;
const pages = pagesOf(world);

/** What GraphiQL itself leaves in the way of some readers; everything else would be found. */
const ofGraphiql = {
  'nested-interactive': 'Its tabs are list items with a button inside; keys reach and press the button.',
  'scrollable-region-focusable': 'Its editors scroll with the text field in them, which has the focus.',
};

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

  test('a subscription shows the events of the signed-in user', async () => {
    const user = await market.user({ password });
    const { page, close } = await pages.visit(
      `/graphiql?query=${encodeURIComponent('subscription { events { cursor event { type } } }')}`,
    );
    await page.getByLabel('E-mail').fill(user.email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByText(`You are signed in as ${user.email}.`).waitFor();
    await page.getByRole('button', { name: /execute query/i }).click();
    const answer = page.locator('.result-window');
    await answer.filter({ hasText: 'cursor' }).waitFor();
    await user.listing();
    await world.stack.runJob('identity.relay');
    await answer.filter({ hasText: 'listing.created' }).waitFor();
    expect(await answer.innerText()).toContain('listing.created');
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
