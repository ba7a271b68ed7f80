import { download } from '../support/download.ts';
import { goodPassword as password } from '../support/people/tokenEndpoint.ts';
import { perTest, product } from '../support/product.ts';
import { readArchive } from '../support/readArchive.ts';
import type { SeededUser } from '../support/seed.ts';

const world = product();
const { market } = world;
const user = perTest(() => market.user({ password }));

async function exported(): Promise<{ id: string; link: string }> {
  const requested = await user.rest('POST', '/api/v1/me/data-exports');
  expect(requested).toMatchObject({ status: 202, body: { state: 'queued', url: null } });
  const { id } = requested.body;
  expect(requested.headers.get('location')).toBe(`/api/v1/me/data-exports/${id}`);
  await world.stack.runJob('identity.data-exports');
  return { id, link: await linkOf(id) };
}
const linkOf = async (id: string, by: Pick<SeededUser, 'rest'> = user) => {
  const ready = await by.rest('GET', `/api/v1/me/data-exports/${id}`);
  expect(ready.body).toMatchObject({ state: 'ready', progress: { done: expect.any(Number) } });
  return new URL(ready.body.url).pathname;
};
const fetchFile = async (link: string, headers: Record<string, string> = {}, { installation } = market) =>
  download(await world.stack.port(), link, { host: installation.hosts[0] ?? '', ...headers });

test('a data export is downloaded through its link without a token, in whole or in part', async () => {
  const { link } = await exported();
  const { status, headers, bytes } = await fetchFile(link, { authorization: 'Bearer nonsense' });
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'application/zip',
    'content-length': String(bytes.length),
    'content-disposition': expect.stringMatching(/^attachment; filename="data-\d{4}-\d\d-\d\d\.zip"$/),
    'cache-control': 'private, no-store',
  });
  const account = (await readArchive(bytes)).get('account.json') ?? '';
  expect(JSON.parse(account)).toMatchObject([{ id: user.id }]);
  const part = await fetchFile(link, { range: 'bytes=0-3' });
  expect([part.status, part.bytes.toString('latin1')]).toEqual([206, 'PK\u0003\u0004']);
});

test('the link of a data export expires after 15 minutes and returns 404 in another installation', async () => {
  const { id, link } = await exported();
  expect((await fetchFile(link, {}, await world.neighbour())).status).toBe(404);
  world.stack.advance(15 * 60_000 + 1);
  expect((await fetchFile(link)).status).toBe(404);
  const credentials = { grantType: 'password', username: user.email, password };
  const again = market.caller((await market.visitor.issueToken(credentials)).tokens.accessToken);
  expect((await fetchFile(await linkOf(id, again))).status).toBe(200);
  const early = await again.rest('POST', '/api/v1/me/data-exports');
  expect(early).toBeRefused(429, 'rate_limited');
  expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(80_000);
});
