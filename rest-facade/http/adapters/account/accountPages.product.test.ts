import type { Page } from 'playwright-core';
import { readRoutes } from '../../../../schema/route/readRoutes.ts';
import { obstaclesOf } from '../../../../test/support/obstaclesOf.ts';
import { pagesOf } from '../../../../test/support/pagesOf.ts';
import { activateFactor } from '../../../../test/support/people/secondFactor.ts';
import { product } from '../../../../test/support/product.ts';
import { toldCodes } from './texts/AccountTexts.ts';

const world = product();
const { market } = world;
const { origin, visit } = pagesOf(world);

const pages = [
  'confirm-email',
  'reset-password',
  'accept-invitation',
  'confirm-notice',
  'payments',
  'payment-methods',
  'payouts',
];

describe('account pages', () => {
  test.each(pages)('%s loads nothing from other hosts and runs no inline script', async (page) => {
    const { status, body: text, headers } = await world.rest('GET', `/account/${page}`);
    expect(status).toBe(200);
    expect(text).not.toMatch(/https?:|<script>|<style|style=| on\w+=/);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'self';/);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    const sources = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, source = '']) => source);
    expect(sources).toHaveLength(2);
    for (const path of sources) expect((await world.rest('GET', path)).status).toBe(200);
  });

  test.each([
    ['de-AT, en;q=0.5', 'de'],
    ['fr', 'fr'],
    ['es-MX', 'es'],
    ['ja', 'en'],
  ])('the account pages are translated for readers of %s', async (accepted, language) => {
    const headers = { 'accept-language': accepted };
    const answer = await world.rest('GET', '/account/reset-password', { headers });
    expect(answer.body).toContain(`<html lang="${language}">`);
    expect(answer.headers.get('vary')).toContain('Accept-Language');
  });

  test.each([
    '/account/other',
    '/account/constructor',
    '/account/assets/page.ts',
    '/account/assets/__proto__',
  ])('returns 404 for the account page %s, which does not exist', async (path) => {
    expect(await world.rest('GET', path)).toBeRefused(404, 'not_found');
  });

  test('the account pages have a text for every error that their routes document', () => {
    const called =
      /^\/api\/v1\/(?:auth\/(?:password-resets|email-verifications)(?:\/confirm)?|dealer-invitations\/accept)$/;
    const routes = readRoutes().filter(({ path }) => called.test(path));
    expect(routes.length).toBeGreaterThanOrEqual(4);
    for (const { errors = [] } of routes) for (const code of errors) expect(toldCodes).toContain(code);
  });
});

describe('account pages in a browser', () => {
  /** Path and fragment of the latest link to an address. */
  async function linkTo(address: string): Promise<string> {
    await world.stack.runJob('identity.account-requests');
    const link = (await world.stack.mailsTo(address)).at(-1)?.link ?? '';
    const { pathname, hash } = new URL(link);
    return `${pathname}${hash}`;
  }
  const post = (path: string, body: object) => world.rest('POST', `/api/v1${path}`, { body });
  const stateOf = async ({ token }: { token: string }) =>
    (await world.rest('GET', '/api/v1/me', { token })).body.state;
  const said = (page: Page) => page.locator('#message');
  const shown = (page: Page) => page.locator('[data-step]:visible');

  test('an email address is confirmed by a key press, not by opening the page, and the token leaves the address bar', async () => {
    const user = await market.user({ emailVerified: false });
    await post('/auth/email-verifications', { email: user.email });
    const link = await linkTo(user.email);
    const { page, close } = await visit(link);
    await page.getByRole('button', { name: 'Confirm the email address' }).waitFor();
    expect(await stateOf(user)).toBe('unverified');
    await page.keyboard.press('Enter');
    await page.getByText('Your email address is confirmed.').waitFor();
    expect(await stateOf(user)).toBe('active');
    expect(page.url()).toBe(`${await origin()}/account/confirm-email`);
    await close();
  });

  test('a used link is reported as such and offers a new one, which arrives', async () => {
    const user = await market.user({ emailVerified: false });
    await post('/auth/email-verifications', { email: user.email });
    const link = await linkTo(user.email);
    await post('/auth/email-verifications/confirm', { token: link.split('token=')[1] });
    const other = await market.user({ emailVerified: false });
    const { page, close } = await visit(link);
    await page.getByRole('button').click();
    await said(page).getByText('This link was already used.').waitFor();
    await page.getByLabel('Email address').fill(other.email);
    await page.getByRole('button', { name: 'Send a new link' }).click();
    await page.getByText('If an account needs a link').waitFor();
    expect(await linkTo(other.email)).toMatch(/^\/account\/confirm-email#token=/);
    await close();
  });

  test('a notice is confirmed by its emailed link, and a second confirmation states that it already was', async () => {
    const email = 'neighbour@example.test';
    const target = { type: 'user', id: (await market.user()).id };
    await post('/notices', { target, reason: 'illegal', text: 'Stolen.', email, goodFaith: true });
    const link = await linkTo(email);
    const { page, close } = await visit(link);
    await page.getByRole('button', { name: 'Confirm the notice' }).click();
    await page.getByText('Your notice was received.').waitFor();
    expect(page.url()).toBe(`${await origin()}/account/confirm-notice`);
    await close();
    const again = await visit(link);
    await again.page.getByRole('button', { name: 'Confirm the notice' }).click();
    await said(again.page).getByText('This notice was already confirmed.').waitFor();
    await again.close();
  });

  test('a password is set with the keyboard, a weak one is explained, and the new one signs in', async () => {
    const user = await market.user({ password: 'plum-tractor-9-violin' });
    const { page: asking, close: closeFirst } = await visit('/account/reset-password');
    await asking.getByLabel('Email address').fill(user.email);
    await asking.keyboard.press('Enter');
    await asking.getByText('If an account needs a link').waitFor();
    await closeFirst();
    const { page, close } = await visit(await linkTo(user.email));
    const field = page.getByLabel('New password');
    await field.waitFor();
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.type('Password1');
    await page.keyboard.press('Enter');
    await said(page).getByText('too easy to guess').waitFor();
    await field.fill('grey-walnut-4-harbour');
    await page.getByLabel('Show the password').check();
    expect(await field.getAttribute('type')).toBe('text');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('Your new password is set.').waitFor();
    expect(await said(page).textContent()).toBe('');
    const signedIn = await post('/auth/token', {
      grant_type: 'password',
      username: user.email,
      password: 'grey-walnut-4-harbour',
    });
    expect(signedIn.status).toBe(200);
    await close();
  });

  test('two submissions of a form send one request', async () => {
    const user = await market.user();
    await post('/auth/password-resets', { email: user.email });
    const { page, close } = await visit(await linkTo(user.email));
    await page.getByLabel('New password').fill('grey-walnut-4-harbour');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await page.locator('form:visible').evaluate((form: HTMLFormElement) => {
      form.requestSubmit();
      form.requestSubmit();
    });
    await page.getByText('Your new password is set.').waitFor();
    expect(sent.filter((url) => url.endsWith('/confirm'))).toHaveLength(1);
    await close();
  });

  test('opening another link in the same tab loads a new page', async () => {
    const { page, close } = await visit('/account/confirm-email');
    await page.getByLabel('Email address').waitFor();
    await page.goto(`${await origin()}/account/confirm-email#token=${'a'.repeat(43)}`);
    await page.getByRole('button', { name: 'Confirm the email address' }).click();
    await said(page).getByText('This link has expired.').waitFor();
    expect(await page.getByLabel('Email address').isVisible()).toBe(true);
    await close();
  });

  test('the page reports that the server cannot be reached and stays usable', async () => {
    const user = await market.user();
    await post('/auth/password-resets', { email: user.email });
    const { page } = await visit(await linkTo(user.email));
    await page.getByLabel('New password').fill('grey-walnut-4-harbour');
    await page.context().setOffline(true);
    await page.getByRole('button').click();
    await said(page).getByText('The server cannot be reached.').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button').click();
    await page.getByText('Your new password is set.').waitFor();
    expect(await said(page).textContent()).toBe('');
    await page.context().close();
  });

  describe('invitation page', () => {
    const password = 'plum-tractor-9-violin';

    async function invited() {
      const dealer = await market.dealer();
      const guest = await market.user({ password });
      const answer = await dealer.owner.rest('POST', `/api/v1/dealers/${dealer.id}/invitations`, {
        body: { email: guest.email, role: 'agent' },
      });
      expect(answer.status).toBe(201);
      return { dealer, guest, link: await linkTo(guest.email) };
    }
    const dealersOf = async ({ token }: { token: string }) =>
      (await world.rest('GET', '/api/v1/me', { token })).body.dealerMemberships.map(
        ({ dealerId }: { dealerId: string }) => dealerId,
      );
    const sessionsOf = async ({ token }: { token: string }) =>
      (await world.rest('GET', '/api/v1/me/sessions', { token })).body.data.length;

    async function signIn(page: Page, email: string, secret = password): Promise<void> {
      await page.getByLabel('Email address').fill(email);
      await page.getByLabel('Password').fill(secret);
      await page.keyboard.press('Enter');
    }

    test('the invited user accepts an invitation, and the page leaves no session behind', async () => {
      const { dealer, guest, link } = await invited();
      const { page, close } = await visit(link);
      await signIn(page, guest.email, 'not-his-password');
      await said(page).getByText('is wrong').waitFor();
      await signIn(page, guest.email);
      await page.getByText('You are now a member.').waitFor();
      expect(await dealersOf(guest)).toEqual([dealer.id]);
      expect(await sessionsOf(guest)).toBe(1);
      expect(page.url()).not.toContain('token');
      await close();
    });

    test('the invitation page asks for the second factor of an account that has one', async () => {
      const { dealer, guest, link } = await invited();
      const { stack } = world;
      const factor = await activateFactor({ stack, as: guest, installation: market.installation });
      const { page, close } = await visit(link);
      await signIn(page, guest.email);
      await page.getByLabel('Code of your authenticator').fill(factor.app.code(stack.platform.now()));
      await page.keyboard.press('Enter');
      await page.getByText('You are now a member.').waitFor();
      expect(await dealersOf(guest)).toEqual([dealer.id]);
      await close();
    });

    test('the invitation page refuses another user and explains what to do', async () => {
      const { link } = await invited();
      const other = await market.user({ password });
      const { page, close } = await visit(link);
      await signIn(page, other.email);
      await said(page).getByText('sent to another email address').waitFor();
      expect(await dealersOf(other)).toEqual([]);
      expect(await sessionsOf(other)).toBe(1);
      await close();
    });
  });

  test.each(pages)(
    '%s is accessible in light and dark colours, on a narrow screen and to screen readers',
    async (path) => {
      const colours: string[] = [];
      const viewport = { width: 320, height: 640 };
      const { page, close } = await visit(`/account/${path}#token=${'a'.repeat(43)}`, { viewport });
      await shown(page).waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        colours.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
      expect(await page.locator('[role=alert], [role=status]').count()).toBeGreaterThan(0);
      expect(await obstaclesOf(page)).toEqual([]);
      await close();
      expect(new Set(colours).size).toBe(2);
    },
  );
});
