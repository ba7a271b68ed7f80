import path from 'node:path';
import { build } from 'esbuild';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { openBrowser } from '../../../test/support/openBrowser.ts';
import { password, useClients } from './useClients.ts';

/** The client as a script that makes one in every page of an origin, by the name `tab`. */
async function bundle(locks: string): Promise<string> {
  const contents = `import { createClient, webStorage } from './client.ts';
    globalThis.tab = createClient({ storage: webStorage(localStorage, 'trigate', ${locks}) });`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: path.join(import.meta.dirname, '../src'), loader: 'ts' },
    bundle: true,
    format: 'iife',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

describe.each([
  ['with Web Locks', 'navigator.locks'],
  ['without Web Locks', 'null'],
])('tabs of one browser, %s', (_, locks) => {
  const { shop, world } = useClients();
  let browser: Browser;
  let context: BrowserContext;
  let script: string;
  /** Refreshes that were asked for, and what is done with each before the service hears of it. */
  let refreshes: number;
  let onRefresh: (route: Route) => Promise<void>;

  beforeAll(async () => {
    script = await bundle(locks);
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser?.close());
  beforeEach(async () => {
    refreshes = 0;
    onRefresh = (route) => route.continue();
    context = await browser.newContext();
    await context.addInitScript({ content: script });
    await context.route('**/api/v1/auth/token', async (route) => {
      if (route.request().postDataJSON().grant_type !== 'refresh_token') return route.continue();
      refreshes += 1;
      return onRefresh(route);
    });
  });
  afterEach(() => context.close());

  async function openTab(): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`http://${shop.installation.hosts[0]}:${await world.stack.port()}/problems/not_found`);
    return page;
  }

  async function signIn(page: Page): Promise<void> {
    const { email } = await shop.user({ password });
    await page.evaluate(`tab.session.signIn(${JSON.stringify({ username: email, password })})`);
  }

  const expire = (page: Page) =>
    page.evaluate(
      `localStorage.setItem('trigate', JSON.stringify({ ...JSON.parse(localStorage.getItem('trigate')), expiresAt: 0 }))`,
    );
  const call = (page: Page) =>
    page.evaluate<number>(`tab.rest.GET('/api/v1/me').then(({ response }) => response.status)`);
  const isSignedIn = (page: Page) => page.evaluate<boolean>('tab.session.isSignedIn');
  const tokens = (page: Page) => page.evaluate<string>(`localStorage.getItem('trigate')`);

  test('two tabs that need a token at the same time get one between them and stay signed in', async () => {
    const tabs = [await openTab(), await openTab()];
    const [first, second] = tabs as [Page, Page];
    await signIn(first);
    for (let round = 1; round <= 3; round += 1) {
      const before = await tokens(second);
      await expire(first);
      const asked = new Promise<Route>((told) => {
        onRefresh = async (route) => told(route);
      });
      const calls = [call(first), call(second)];
      const route = await asked;
      // The answer waits until the other tab has had time to ask, too.
      await second.waitForTimeout(500);
      onRefresh = (other) => other.continue();
      await route.continue();
      expect(await Promise.all(calls)).toEqual([200, 200]);
      expect(refreshes).toBe(round);
      expect(await tokens(first)).not.toBe(before);
      expect(await Promise.all(tabs.map(isSignedIn))).toEqual([true, true]);
      // Past the half minute in which the service takes an older token for a slip.
      world.stack.advance(60_000);
    }
  }, 60_000);

  test('a tab that is closed before its response arrives leaves the others signed in', async () => {
    const [first, second, closing] = [await openTab(), await openTab(), await openTab()];
    await signIn(first);
    await expire(first);
    const rotated = new Promise<void>((told) => {
      // The service has changed the token; the tab never learns of it.
      onRefresh = async (route) => {
        const body = route.request().postDataJSON() as object;
        const { status } = await world.send({ method: 'POST', path: '/api/v1/auth/token', body });
        if (status === 200) told();
      };
    });
    const lost = call(closing).catch(() => 0);
    await rotated;
    onRefresh = (route) => route.continue();
    const calls = [call(first), call(second)];
    await closing.close();
    expect(await lost).toBe(0);
    expect(await Promise.all(calls)).toEqual([200, 200]);
    expect(refreshes).toBe(2);
    world.stack.advance(60_000);
    await expire(second);
    expect([await call(first), await call(second)]).toEqual([200, 200]);
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([true, true]);
  }, 90_000);
});
