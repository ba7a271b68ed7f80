import { openTestApp, type TestApp } from '../support/openTestApp.ts';
import { type SeededListing, type SeededUser, seed } from '../support/seed.ts';

/** Names of the parts of `Server-Timing`, in their order; fails for what is no duration. */
function partsOf(header: string | string[] | undefined): string[] {
  return String(header ?? '')
    .split(', ')
    .map((entry) => {
      const [, name = '', duration = ''] = /^([a-z]+);dur=(\d+(?:\.\d)?)$/.exec(entry) ?? [];
      expect(Number(duration)).toBeGreaterThanOrEqual(0);
      return name;
    });
}

describe.each([
  ['in one process', false],
  ['in processes of their own', true],
])('with the subgraphs %s', (_, apart) => {
  let app: TestApp;
  let editor: SeededUser;
  let listing: SeededListing;
  beforeAll(async () => {
    app = await openTestApp({ apart });
    const shop = await seed(app.stack).in(app.stack.demo);
    editor = await shop.staff('editor');
    listing = await (await shop.dealer()).listing({ published: true });
  });
  afterAll(() => app.close());

  const post = (path: string, more: object = {}) => {
    const body = { object: { type: 'listing', id: listing.id }, ...more };
    return app.send({ method: 'POST', path: `/api/rest/seo-tools/v1/${path}`, body, token: editor.token });
  };

  test.each<[string, object]>([
    ['analysis', {}],
    ['recommendations', {}],
    ['suggestions', { kinds: ['slug'] }],
    ['refresh', {}],
  ])('%s tells in a header how long its parts took', async (path, more) => {
    const { status, headers } = await post(path, more);
    expect(status).toBe(200);
    expect(partsOf(headers['server-timing'])).toEqual(['content', 'analysis']);
  });

  test('the body of an analysis is the same, byte for byte, whatever it took', async () => {
    const [first, second] = [await post('analysis'), await post('analysis')];
    expect(second.text).toBe(first.text);
  });

  test('no other route has the header', async () => {
    const path = '/api/rest/seo-tools/v1/checks';
    expect((await app.send({ path, token: editor.token })).headers).not.toHaveProperty('server-timing');
  });
});
