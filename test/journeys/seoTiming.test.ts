import { perFile, product } from '../support/product.ts';
import type { SeededListing } from '../support/seed.ts';
import { type ServedStack, serveStack } from '../support/stack/serveStack.ts';

const world = product();
describe.each([
  ['in one process', false],
  ['in separate processes', true],
])('with the subgraphs %s', (_, apart) => {
  let served: ServedStack;
  let listing: SeededListing;
  const editor = perFile(() => world.market.staff('editor'));
  beforeAll(async () => {
    listing = await (await world.market.dealer()).listing({ published: true });
    served = await serveStack(world.stack, { apart });
  });
  afterAll(() => served.close());

  const send = (method: string, path: string, body?: object) =>
    served.send({
      method,
      path: `/api/rest/seo-tools/v1/${path}`,
      host: world.market.installation.hosts[0] ?? '',
      token: editor.token,
      ...(body && { body: { object: { type: 'listing', id: listing.id }, ...body } }),
    });

  test.each<[string, object]>([
    ['analysis', {}],
    ['recommendations', {}],
    ['suggestions', { kinds: ['slug'] }],
    ['refresh', {}],
  ])('POST %s states the duration of its parts in Server-Timing', async (path, body) => {
    const { status, headers } = await send('POST', path, body);
    expect(status).toBe(200);
    const parts = String(headers['server-timing']).split(', ');
    expect(parts).toEqual([
      expect.stringMatching(/^content;dur=\d+(\.\d)?$/),
      expect.stringMatching(/^analysis;dur=\d+(\.\d)?$/),
    ]);
  });

  test('two analyses of one text have the same body', async () => {
    const [first, second] = [await send('POST', 'analysis', {}), await send('POST', 'analysis', {})];
    expect(second.text).toBe(first.text);
  });

  test('a route without an analysis has no Server-Timing', async () => {
    expect((await send('GET', 'checks')).headers).not.toHaveProperty('server-timing');
  });
});
