import { french, openDesk, ref } from '../../subgraphs/translation/fixture/openDesk.ts';
import { product } from '../support/product.ts';
import { commandsOf } from '../support/stack/commandsOf.ts';

const world = product();
const { market } = world;
const { dealers, car, link, translate, run } = openDesk(world);
const published = { status: 'PUBLISHED' } as const;
const get = (path: string) => market.visitor.rest('GET', `/api/v1/catalog/${path}`);
const settle = () => run('identity.relay', 'translation.object-heads');

test('a listing is returned in the language of the reader, which Content-Language and resolution state', async () => {
  const id = await car();
  await translate(id, published);
  await settle();
  const { body: own } = await get(`listings/${id}`);
  const { status, body, headers } = await get(`listings/${own.slug}?locale=fr-CA`);
  expect([status, headers.get('content-language')]).toEqual([200, 'fr']);
  expect(body).toEqual({
    ...own,
    ...french,
    language: 'fr',
    url: `${market.installation.baseUrl}/fr/listings/${own.slug}`,
    resolution: {
      requested: 'fr-CA',
      matched: 'fr',
      strategy: 'locale_match',
      chain: ['fr', 'de', 'en'],
      fallbackUsed: true,
    },
  });
});

test('a listing requested without a language has the texts of its owner and reads no translation', async () => {
  const id = await car();
  await translate(id, published);
  await settle();
  await get(`listings/${id}`);
  let answer: Awaited<ReturnType<typeof get>> | undefined;
  const commands = await commandsOf(async () => void (answer = await get(`listings/${id}`)));
  expect(commands.filter((command) => command.includes('translation'))).toEqual([]);
  for (const member of ['resolution', 'text']) expect(answer?.body).not.toHaveProperty(member);
  expect(answer?.headers.get('content-language')).toBeNull();
});

test('a listing is returned with the texts of a linked listing in the requested language', async () => {
  const [id, german] = [await car(), await car({ language: 'de', title: 'Gutes Auto' })];
  await link({ object: ref(german), relatedTo: ref(id) });
  await settle();
  const { body: lender } = await get(`listings/${german}`);
  expect((await get(`listings/${id}?locale=de`)).body).toMatchObject({
    id,
    title: 'Gutes Auto',
    language: 'de',
    url: lender.url,
    resolution: { matched: 'de', strategy: 'exact' },
  });
});

test.each([
  ['a language without a text', 'sw', { strategy: 'default_language', fallbackUsed: true }],
  ['its own language', 'en', { strategy: 'exact', fallbackUsed: false }],
  ['an inactive language', 'nl', { strategy: 'default_language' }],
  ['a language with a draft', 'fr', { strategy: 'default_language' }],
])('a listing requested in %s has the texts of its owner', async (_, locale, expected) => {
  const id = await car();
  await translate(id);
  await settle();
  const { body: own } = await get(`listings/${id}`);
  const { body } = await get(`listings/${id}?locale=${locale}`);
  const resolution = expect.objectContaining({ matched: 'en', ...expected });
  expect(body).toEqual({ ...own, resolution });
});

test('a listing whose publication is not relayed yet has the texts of its owner', async () => {
  const id = await car();
  const { body: own } = await get(`listings/${id}`);
  expect((await get(`listings/${id}?locale=fr`)).body).toEqual({ ...own, resolution: null });
});

test('the page of a dealer is returned in the language of the reader', async () => {
  const { id } = dealers.garage;
  const fields = { description: 'Voitures de confiance depuis 1972.' };
  await translate('', { ...published, source: { type: 'DEALER', id }, fields });
  await settle();
  const { body: own } = await get(`dealers/${id}`);
  const { body, headers } = await get(`dealers/${id}?locale=fr`);
  expect(headers.get('content-language')).toBe('fr');
  expect(body).toMatchObject({ id, tradeName: own.tradeName, ...fields });
  expect(body.resolution).toMatchObject({ matched: 'fr', strategy: 'exact' });
});

test.each(['listings/{id}', 'listings', 'dealers/{id}'])(
  'GET %s refuses an invalid or repeated language with 400',
  async (path) => {
    const target = path.replace('{id}', path.startsWith('listings') ? await car() : dealers.garage.id);
    for (const query of ['locale=', 'locale=not%20a%20language', 'locale=fr&locale=de', 'language=fr'])
      expect(await get(`${target}?${query}`)).toBeRefused(400);
  },
);

test('a page of localized results costs the same commands for one listing and for four', async () => {
  const { id: dealerId, owner } = await market.dealer();
  for (let index = 0; index < 4; index += 1) {
    const words = { title: 'Good car', dealerId };
    await translate((await owner.listing({ published: true, ...words })).id, published);
  }
  await settle();
  const cost = async (limit: number) => {
    let titles: string[] = [];
    const commands = await commandsOf(async () => {
      const { body } = await get(`listings?dealerId=${dealerId}&limit=${limit}&locale=fr`);
      titles = body.data.map(({ title, language }: { title: string; language: string }) => [title, language]);
    });
    expect(titles).toEqual(Array.from({ length: limit }, () => [french.title, 'fr']));
    return commands.filter((command) => command.includes('translation'));
  };
  await cost(1);
  const single = ['find translation_object_heads', 'find translations', 'find translations'];
  expect([await cost(1), await cost(4)]).toEqual([single, single]);
});
