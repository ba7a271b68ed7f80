import type { Page } from 'playwright-core';
import { obstaclesOf } from '../../../../test/support/obstaclesOf.ts';
import { pagesOf } from '../../../../test/support/pagesOf.ts';
import { perFile, product } from '../../../../test/support/product.ts';

const world = product();
const { market } = world;
const { visit } = pagesOf(world);

const password = 'plum-tractor-9-violin';
const garage = perFile(() => market.dealer({ tradeName: 'Garage <North>', description: '**Since 1950**' }));
const car = perFile(() =>
  garage.listing({
    published: true,
    title: 'Volvo 145 <3 & more',
    description: '## Condition\n\nRust < 1 % & *dry*.',
    price: { amount: 1_245_050, currency: 'EUR' },
  }),
);

async function pageOf(path: string, headers: Record<string, string> = {}) {
  return world.rest('GET', path, { headers: { accept: 'text/html', ...headers } });
}

/** The structured data of a page. */
function dataOf(text: string) {
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? '';
  return JSON.parse(json) as Record<string, unknown>;
}

/** Path of the public URL of the car. */
async function pathOfCar(): Promise<string> {
  const listing = await market.visitor.catalogListing({ listingId: car.id });
  return new URL(listing?.url).pathname;
}

test('the URL of a listing leads to its page, with texts escaped and the price formatted', async () => {
  const { status, body: text, headers } = await pageOf(await pathOfCar());
  expect(status).toBe(200);
  expect(text).toContain('Volvo 145 &#60;3 &#38; more');
  expect(text).not.toMatch(/145 <3|Rust < 1|<style|style=| on\w+=/);
  expect(text).toContain('<h3>Condition</h3>');
  expect(text).toContain('€12,450.50');
  expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'self'/);
  expect(headers.get('vary')).toContain('Accept-Language');
});

test('the page of a listing has structured data with price, condition and seller', async () => {
  const { body } = await pageOf(await pathOfCar());
  expect(dataOf(body)).toMatchObject({
    '@context': 'https://schema.org',
    name: 'Volvo 145 <3 & more',
    offers: {
      '@type': 'Offer',
      price: '12450.50',
      priceCurrency: 'EUR',
      seller: { '@type': 'AutoDealer', name: 'Garage <North>' },
    },
  });
});

test('the URL of a dealer leads to its page, with its listings and structured data', async () => {
  await pathOfCar();
  const dealer = await market.visitor.catalogDealer({ dealerId: garage.id });
  const { status, body } = await pageOf(new URL(dealer?.url).pathname);
  expect(status).toBe(200);
  expect(body).toContain('<strong>Since 1950</strong>');
  expect(body).toContain(`href="${await pathOfCar()}"`);
  expect(dataOf(body)).toMatchObject({ '@type': 'AutoDealer', name: 'Garage <North>' });
});

test.each([
  ['de', '12.450,50 €', 'Verkäufer'],
  ['fr', '12 450,50 €', 'Vendeur'],
  ['es', '12.450,50 €', 'Vendedor'],
])('the page of a listing is in the language of a reader of %s', async (language, price, seller) => {
  const { body } = await pageOf(await pathOfCar(), { 'accept-language': language });
  expect(body).toContain(`<html lang="${language}">`);
  expect(body.replace(/[\u00a0\u202f]/g, ' ')).toContain(price);
  expect(body).toContain(seller);
});

test('a listing that is paused has no page, and a browser gets the page for missing addresses', async () => {
  const hidden = await garage.listing({ published: true });
  const listing = await market.visitor.catalogListing({ listingId: hidden.id });
  const path = new URL(listing?.url).pathname;
  expect((await pageOf(path)).status).toBe(200);
  await garage.owner.pauseListing({ listingId: hidden.id });
  const gone = await pageOf(path);
  expect(gone.status).toBe(404);
  expect(gone.body).toContain('Page not found');
  expect(await world.rest('GET', path)).toBeRefused(404, 'not_found');
});

test.each(['/listings/none', '/dealers/none', '/pages/none', '/posts/none', '/listings/%24where'])(
  '%s has no page',
  async (path) => {
    expect(await world.rest('GET', path)).toBeRefused(404, 'not_found');
  },
);

test('a listing of another installation has no page here', async () => {
  const other = await world.neighbour();
  const foreign = await (await other.seller()).listing({ published: true });
  const listing = await other.visitor.catalogListing({ listingId: foreign.id });
  expect((await pageOf(new URL(listing?.url).pathname)).status).toBe(404);
});

describe('storefront in a browser', () => {
  test('a reader searches, opens a listing and its dealer', async () => {
    await pathOfCar();
    const { page, close } = await visit('/listings');
    await page.getByRole('searchbox').fill('volvo');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: /Volvo 145/ }).click();
    await page.getByRole('heading', { level: 1, name: /Volvo 145/ }).waitFor();
    await page.getByRole('link', { name: 'Garage <North>' }).click();
    await page.getByRole('heading', { level: 1, name: 'Garage <North>' }).waitFor();
    expect(await page.getByRole('link', { name: /Volvo 145/ }).count()).toBe(1);
    await close();
  });

  test.each([320, 1280])(
    'the pages are accessible and have no horizontal scroll bar at a width of %i',
    async (width) => {
      const { page, close } = await visit(await pathOfCar(), { viewport: { width, height: 800 } });
      const dealer = await page.getByRole('link', { name: 'Garage <North>' }).getAttribute('href');
      for (const path of [await pathOfCar(), String(dealer), '/listings']) {
        await page.goto(new URL(path, page.url()).href);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        expect(await obstaclesOf(page)).toEqual([]);
        expect(await colourOf(page)).not.toBe('');
      }
      await close();
    },
    60_000,
  );

  test('the link of a mail about a message leads to the conversation, in which the buyer answers', async () => {
    const buyer = await market.user({ password });
    await pathOfCar();
    const { conversation } = await buyer.startConversation(
      { listingId: car.id, text: 'Is it still available?' },
      'conversation { id }',
    );
    const { page, close } = await visit(`/conversations/${conversation.id}`);
    await signIn(page, buyer.email);
    await page.getByText('Is it still available?').waitFor();
    await page.getByLabel('Your answer').fill('I could come on Saturday.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('#messages li').filter({ hasText: 'I could come on Saturday.' }).waitFor();
    expect(await page.locator('#messages li').count()).toBe(2);
    expect(await colourOf(page)).not.toBe('');
    expect(await obstaclesOf(page)).toEqual([]);
    await close();
  }, 60_000);

  test('the page of a conversation shows nothing to a user who takes no part in it', async () => {
    const [buyer, other] = [await market.user({ password }), await market.user({ password })];
    const { conversation } = await buyer.startConversation(
      { listingId: car.id, text: 'A secret.' },
      'conversation { id }',
    );
    const { page, close } = await visit(`/conversations/${conversation.id}`);
    await signIn(page, other.email);
    await page.locator('#message').filter({ hasText: /\w/ }).waitFor();
    expect(await page.getByText('A secret.').count()).toBe(0);
    await close();
  }, 60_000);

  /** The colour of text that the site states; empty if the page does not load its styles. */
  const colourOf = (page: Page): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.body).getPropertyValue('--text'));

  async function signIn(page: Page, email: string): Promise<void> {
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
  }
});
