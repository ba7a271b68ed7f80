import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { openBrowser } from '../support/openBrowser.ts';
import { goodPassword as password } from '../support/people/tokenEndpoint.ts';
import { product } from '../support/product.ts';
import { collection } from './world/collection.ts';

const token = '/api/v1/auth/token';
const revoke = '/api/v1/auth/revoke';

const { stack, market } = product();
let own: string;

beforeAll(async () => {
  own = `http://${market.installation.hosts[0]}:${await stack.port()}`;
  const { id } = market.installation;
  await collection('installations').updateOne({ _id: id }, { $set: { baseUrl: own } });
  await stack.platform.installations.refresh();
});

const isOver = async (sessionId: string) =>
  (await collection('sessions').findOne({ _id: sessionId }))?.revokedAt !== null;

let evil: Server;
beforeAll(async () => {
  evil = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<p>evil'));
  await new Promise<void>((listening) => evil.listen(0, '127.0.0.1', listening));
});
afterAll(() => new Promise((closed) => evil.close(closed)));

/** Sends a POST request from a script of the page. Returns status and body, or status 0 if the browser withholds them. */
const post = (page: Page, path: string, body: object) =>
  page.evaluate(
    async ([url, text]) => {
      try {
        const headers = { 'content-type': 'application/json' };
        const init = { method: 'POST', body: text ?? '', headers, credentials: 'include' } as const;
        const response = await fetch(url ?? '', init);
        return { status: response.status, body: await response.json() };
      } catch (error) {
        return { status: 0, body: String(error) };
      }
    },
    [`${own}${path}`, JSON.stringify(body)],
  );

test('a browser hides the refresh token from scripts and from other sites', async () => {
  const user = await market.user({ password });
  const browser = await openBrowser();
  try {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${own}/problems/not_found`);
    const members = { username: user.email, password, refresh_cookie: true };
    const first = await post(page, token, { grant_type: 'password', ...members });
    expect(first.status).toBe(200);
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(
      (await context.cookies()).map(({ name, httpOnly, secure, sameSite, path }) => ({
        name,
        httpOnly,
        secure,
        sameSite,
        path,
      })),
    ).toEqual([
      { name: 'trigate_refresh', httpOnly: true, secure: true, sameSite: 'Strict', path: '/api/v1/auth' },
    ]);
    const wish = { grant_type: 'refresh_token', refresh_token: 'cookie', refresh_cookie: true };
    await page.reload();
    const second = await post(page, token, wish);
    expect([second.status, second.body.session_id]).toEqual([200, first.body.session_id]);
    const other = await context.newPage();
    await other.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`);
    expect((await post(other, token, wish)).status).toBe(0);
    expect(await isOver(first.body.session_id)).toBe(false);
    const out = await post(page, revoke, { token: 'cookie', refresh_cookie: true });
    expect(out.status).toBe(200);
    expect(await context.cookies()).toEqual([]);
    expect(await isOver(first.body.session_id)).toBe(true);
  } finally {
    await browser.close();
  }
});
