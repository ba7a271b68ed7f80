import { perFile, product } from '../support/product.ts';
import { restRoot } from '../support/stack/serveStack.ts';

describe.each([
  ['in one process', false],
  ['in separate processes', true],
])('with the subgraphs %s', (_, apart) => {
  // Separate subgraphs end the event streams of their stack when they close, so it is not the shared one.
  const world = product({ apart });
  const editor = perFile(() => world.market.staff('editor'));
  const listing = perFile(async () => (await world.market.dealer()).listing({ published: true }));

  const send = (method: string, path: string, body?: object) =>
    world.send({
      method,
      path: `${restRoot}/seo-tools/v1/${path}`,
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
