import { allPages } from '../../../../test/support/allPages.ts';
import type { Wire } from '../../../../test/support/operations.ts';
import { product } from '../../../../test/support/product.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { openDesk, ref } from '../../fixture/openDesk.ts';
import { ObjectHeadModel } from '../../objects/objectHeads.ts';
import type { TranslationFilter } from '../../translation.generated.ts';

const world = product();
const { people, car, link, translate, change, run } = openDesk(world);
const heads = () => world.market.records(ObjectHeadModel);
const settle = () => run('identity.relay', 'translation.object-heads');
beforeEach(async () => {
  await settle();
  await heads().deleteMany({});
});

/** Publishes listings in these languages and delivers their events to this subgraph. */
async function publish<Languages extends string[]>(...languages: Languages) {
  const ids: string[] = [];
  for (const language of languages) ids.push(await car({ language }));
  await settle();
  return ids as { [Index in keyof Languages]: string };
}
const list = (filter: Wire<TranslationFilter>, page: { first?: number; after?: string | null } = {}) =>
  people.editor.translations(
    { filter: { missing: true, ...filter }, ...page },
    'nodes { id ref { type objectId } languageCode } pageInfo { endCursor } totalCount totalCountIsExact',
  );
const missingIn = async (language: string) =>
  (await list({ language })).nodes.map(({ ref: { objectId: id } }) => id).sort();

test('an object is listed as missing in a language until it has a text in it', async () => {
  const [first, second] = await publish('en', 'en');
  const commands = await commandsOf(() => list({ language: 'fr' }));
  expect(commands).not.toContain('find listings');
  const node = { id: null, ref: { type: 'LISTING' }, languageCode: 'en' };
  expect(await list({ language: 'fr' })).toMatchObject({
    nodes: [node, node],
    totalCount: 2,
    totalCountIsExact: true,
  });
  const { id } = await translate(first, { status: 'PUBLISHED' });
  expect(await missingIn('fr')).toEqual([second]);
  expect(await missingIn('de')).toEqual([first, second].sort());
  await change({ id, status: 'ARCHIVED' });
  expect(await missingIn('fr')).toEqual([first, second].sort());
});

test('the source of linked objects is listed as missing in the languages that none of them has', async () => {
  const [english, french, german] = await publish('en', 'fr', 'de');
  expect(await missingIn('fr')).toEqual([english, german].sort());
  await link({ object: ref(german), relatedTo: ref(english) });
  expect(await missingIn('fr')).toEqual([english]);
  await link({ object: ref(french), relatedTo: ref(english) });
  expect(await missingIn('fr')).toEqual([]);
  expect(await missingIn('ar')).toEqual([english]);
});

test('a deleted object is not listed as missing', async () => {
  const [objectId] = await publish('en');
  await heads().updateMany({ objectId }, { $set: { deleted: true } });
  expect(await missingIn('fr')).toEqual([]);
});

test('the pages of missing objects contain each object of all types once', async () => {
  const dealerIds = [(await world.market.dealer()).id, (await world.market.dealer()).id].sort();
  const [translated, ...listings] = await publish('en', 'en', 'en', 'en', 'en');
  await translate(translated);
  const paged = await allPages(async (after) => {
    const page = await list({ language: 'fr' }, { first: 2, after });
    expect(page.nodes.length).toBeLessThanOrEqual(2);
    return page;
  });
  expect(paged.map(({ ref: { objectId: id } }) => id)).toEqual([...dealerIds, ...listings.sort()]);
  const ofDealers = await list({ language: 'fr', objectType: 'DEALER' });
  expect(ofDealers.nodes.map(({ ref: { objectId: id } }) => id)).toEqual(dealerIds);
});

test('a page of missing objects reads a bounded number of objects in three commands', async () => {
  const [id] = await publish('en');
  await translate(id);
  const { installationId: _, ...head } = (await heads().findOne({ objectId: id })) ?? {};
  await heads().insertAbsent(
    Array.from({ length: 600 }, (_each, index) => {
      const objectId = `${id}${String(index).padStart(3, '0')}`;
      return { ...head, _id: `listing:${objectId}`, objectId, languageTag: 'fr' } as never;
    }),
  );
  const read = (after: string | null = null) =>
    people.editor.translations(
      { filter: { missing: true, language: 'fr', objectType: 'LISTING' }, first: 2, after },
      'nodes { id } pageInfo { endCursor }',
    );
  const commands = (await commandsOf(read)).filter((command) => command.includes(' translation'));
  const reads = ['find translation_object_heads', 'find translations', 'find translations'];
  expect(commands).toEqual(reads);
  const pages: unknown[] = [];
  await allPages(async (after) => {
    const page = await read(after);
    pages.push(page.nodes);
    return page;
  });
  expect(pages).toEqual([[], [], [], []]);
});

test('a list of missing texts is refused without a language, with a status and with a cursor of another list', async () => {
  expect(await list({})).toBeInvalid('#/filter/language');
  const refused = await list({ language: 'fr', live: true, status: ['DRAFT'] });
  expect(refused).toBeInvalid('#/filter/status', '#/filter/live');
  await publish('en', 'en', 'en');
  const { endCursor: after = null } = (await list({ language: 'fr' }, { first: 1 })).pageInfo;
  expect(await list({ language: 'de' }, { after })).toBeRefused(400, 'invalid_cursor');
});
