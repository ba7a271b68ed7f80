import { addOperator } from '../../subgraphs/identity/people/operator/addOperator.ts';
import { explorerOf, explorerPassword as password } from '../../test/support/explorerOf.ts';
import { obstaclesOf } from '../../test/support/obstaclesOf.ts';
import { openAuthenticator } from '../../test/support/people/authenticator.ts';
import { product } from '../../test/support/product.ts';
import { unique } from '../../test/support/seed.ts';

const world = product();
const { market } = world;
const { visit, visitExamples, signIn } = explorerOf(world);

/** What GraphiQL itself leaves in the way of some readers; everything else would be found. */
const ofGraphiql = {
  'nested-interactive': 'Its tabs are list items with a button inside; keys reach and press the button.',
  'scrollable-region-focusable': 'Its editors scroll with the text field in them, which has the focus.',
};

describe('GraphQL explorer in a browser', () => {
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

  test('an example runs when its button is pressed, and a subscription shows the events of the user', async () => {
    const user = await market.user({ password });
    const { page, close } = await visitExamples();
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

  test('the keyboard can skip the form, and a narrow screen gives its width to the operation and the result below it', async () => {
    const { page, close, ask } = await visit('{ catalogListings(first: 1) { nodes { id } } }');
    await page.setViewportSize({ width: 390, height: 800 });
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('Skip to the explorer');
    await page.keyboard.press('Enter');
    expect(await page.locator(':focus').getAttribute('id')).toBe('graphiql');
    await ask();
    const answer = page.locator('.result-window');
    await answer.filter({ hasText: 'catalogListings' }).waitFor();
    for (const part of [answer, page.locator('.graphiql-query-editor .CodeMirror')])
      expect((await part.boundingBox())?.width).toBeGreaterThan(330);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await close();
  }, 60_000);
});
