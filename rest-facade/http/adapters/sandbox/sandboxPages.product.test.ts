import type { BrowserContextOptions, Page } from 'playwright-core';
import { obstaclesOf } from '../../../../test/support/obstaclesOf.ts';
import { pagesOf } from '../../../../test/support/pagesOf.ts';
import { payableDealer } from '../../../../test/support/people/payableDealer.ts';
import { perFile, perTest, product } from '../../../../test/support/product.ts';
import { unique } from '../../../../test/support/seed.ts';

const world = product();
const { market } = world;
const pages = pagesOf(world);

const garage = perFile(() => payableDealer(market));
const buyer = perTest(() => market.user());

test('the sandbox payment page loads nothing from other hosts and runs no inline script', async () => {
  const { status, body: text, headers } = await world.rest('GET', '/sandbox/pay');
  expect(status).toBe(200);
  expect(text).not.toMatch(/https?:|<script>|<style|style=| on\w+=/);
  expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'self';/);
});

describe('sandbox payment page in a browser', () => {
  const price = { amount: 1_000_000, currency: 'EUR' };

  /** A deposit that waits for its payer, with the path and fragment of the payment page. */
  async function deposit(): Promise<{ id: string; path: string }> {
    const { id: listingId } = await garage.listing({ published: true, price });
    const { status, body } = await buyer.rest('POST', '/api/v1/payments', {
      headers: { 'idempotency-key': unique('key') },
      body: { purpose: 'deposit', listingId },
    });
    expect(status).toBe(201);
    const { pathname, hash } = new URL(body.nextAction.url);
    return { id: body.id, path: `${pathname}${hash}` };
  }

  /** Opens the page and waits until it shows the order. */
  async function visit(path: string, options: BrowserContextOptions = {}) {
    const visited = await pages.visit(path, options);
    await order(visited.page).filter({ hasText: /\w/ }).waitFor();
    return visited;
  }
  const order = (page: Page) => page.locator('#order');
  const says = (page: Page, text: string) => order(page).filter({ hasText: text }).waitFor();
  /** The key alone: the first press of Tab leads from what was said to the first thing that may be done. */
  const press = async (page: Page, name: string) => {
    for (let tries = 0; tries < 6; tries += 1) {
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus');
      if ((await focused.textContent()) === name) return page.keyboard.press('Enter');
    }
    throw new Error(`Nothing called "${name}" is reached by Tab.`);
  };
  const stateOf = async (id: string) => {
    await world.stack.runJob('identity.payment-events');
    return (await buyer.rest('GET', `/api/v1/payments/${id}`)).body.state;
  };

  test('a deposit is paid by keyboard with a card that requires confirmation, and a link leads back to the payment', async () => {
    const { id, path } = await deposit();
    const { page, close } = await visit(path);
    await says(page, 'Payment of €1,000.00: requires payment method.');
    await press(page, 'Card that requires confirmation');
    await says(page, 'requires action');
    expect(await stateOf(id)).toBe('requires_action');
    expect(await page.getByRole('button').count()).toBe(2);
    await press(page, 'Confirm');
    const back = page.getByRole('link', { name: 'Back' });
    await back.waitFor();
    expect(await back.getAttribute('href')).toMatch(new RegExp(`^http.*/account/payments\\?payment=${id}$`));
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await stateOf(id)).toBe('succeeded');
    await close();
  });

  test('a rejected challenge or a declined card leaves the payment open for another card', async () => {
    const { id, path } = await deposit();
    const { page, close } = await visit(path);
    await page.getByRole('button', { name: 'Card that requires confirmation' }).click();
    await page.getByRole('button', { name: 'Reject' }).click();
    await says(page, 'requires payment method');
    expect(await stateOf(id)).toBe('requires_payment_method');
    await page.getByRole('button', { name: 'Card that is declined' }).click();
    await page.getByRole('button', { name: 'Card that pays' }).waitFor();
    expect(await stateOf(id)).toBe('requires_payment_method');
    await page.getByRole('button', { name: 'Card that pays' }).click();
    await page.getByRole('link', { name: 'Back' }).waitFor();
    expect(await stateOf(id)).toBe('succeeded');
    await close();
  });

  test('a reopened payment page shows the current status, and a wrong address is reported', async () => {
    const { path } = await deposit();
    const first = await visit(path);
    await first.page.getByRole('button', { name: 'Card that pays' }).click();
    await first.page.getByRole('link', { name: 'Back' }).waitFor();
    await first.close();
    const again = await visit(path);
    await again.page.getByRole('link', { name: 'Back' }).waitFor();
    expect(await again.page.getByRole('button').count()).toBe(0);
    await again.close();
    const wrong = await visit(`${path}x`);
    await says(wrong.page, 'This sandbox link is invalid. Request a new one.');
    await wrong.close();
  });

  test('the sandbox payment page is accessible in light and dark colours, on a narrow screen and to screen readers', async () => {
    const colours: string[] = [];
    const { path } = await deposit();
    const { page, close } = await visit(path, { viewport: { width: 320, height: 640 } });
    await page.getByRole('button', { name: 'Card that pays' }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      colours.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    // What changed is where the reading goes on.
    expect(await page.locator(':focus').getAttribute('id')).toBe('order');
    expect(await obstaclesOf(page)).toEqual([]);
    await close();
    expect(new Set(colours).size).toBe(2);
  });
});
