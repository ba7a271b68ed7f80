import { commandsOf } from '../../../test/support/commandsOf.ts';
import { indexesOf } from '../../../test/support/indexesOf.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { change, create } from '../fixture/operations.ts';
import { relationsOf } from '../fixture/relations.ts';
import { PublicHeadModel } from '../translatable/publicHeads.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stack.close());
beforeEach(async () => {
  await scoped(PublicHeadModel, shop.stack.demo.id).deleteMany({});
});

const { listing, linked } = relationsOf(() => shop);
const fields = { title: 'Bonne voiture', description: 'Roule bien' };

/** A listing that this subgraph was told of. */
async function told(languageTag = 'en', type: 'Listing' | 'Dealer' = 'Listing'): Promise<string> {
  const id = shop.listing({ languageTag, type });
  const objectType = type === 'Dealer' ? 'dealer' : 'listing';
  await scoped(PublicHeadModel, shop.stack.demo.id).insert({
    _id: `${objectType}:${id}`,
    objectType,
    objectId: id,
    ownerId: shop.dealerId,
    languageTag,
    visibility: 'PUBLIC',
    url: null,
    slug: null,
    title: 'Good car',
    contentDigest: null,
    contentVersion: 1,
    deleted: false,
    updatedAt: new Date(),
  });
  return id;
}

async function translate(source: string, options: object = {}): Promise<string> {
  const input = { source: listing(source), language: 'fr', fields, ...options };
  return (await shop.ask(create, { input })).createTranslation.translation.id;
}

const list = /* GraphQL */ `query ($filter: TranslationFilter, $first: Int, $after: String) {
  translations(filter: $filter, first: $first, after: $after) {
    nodes { id ref { type id } languageCode } pageInfo { hasNextPage endCursor } totalCount
  }
}`;
const missing = async (filter: object = {}, page: object = {}) =>
  (await shop.ask(list, { filter: { missing: true, language: 'fr', ...filter }, ...page })).translations;
const idsOf = ({ nodes }: any): string[] => nodes.map(({ ref }: any) => ref.id).sort();
/** Ids that were made in one millisecond have no order among themselves. */
const sorted = (...ids: string[]): string[] => ids.sort();

test('what nobody ever translated is missing, and no more once there is a text', async () => {
  const [first, second] = [await told(), await told()];
  const { questions } = shop.neighbour;
  const before = await missing();
  expect(shop.neighbour.questions).toBe(questions);
  expect(idsOf(before)).toEqual(sorted(first, second));
  const node = { id: null, ref: { type: 'LISTING' }, languageCode: 'en' };
  expect(before).toMatchObject({ nodes: [node, node], totalCount: '2' });
  await translate(first);
  expect(idsOf(await missing())).toEqual([second]);
  expect((await missing()).totalCount).toBe('1');
  expect(idsOf(await missing({ language: 'de' }))).toEqual(sorted(first, second));
});

test('a text that was put away is missing again', async () => {
  const source = await told();
  const id = await translate(source, { status: 'PUBLISHED' });
  expect(idsOf(await missing())).toEqual([]);
  await shop.ask(change, { input: { id, status: 'ARCHIVED' } });
  expect(idsOf(await missing())).toEqual([source]);
});

test('an object in the language lacks nothing, and of objects that are linked the source is named', async () => {
  const [english, french, german] = [await told(), await told('fr'), await told('de')];
  expect(idsOf(await missing())).toEqual(sorted(english, german));
  await linked({ object: listing(german), relatedTo: listing(english) });
  expect(idsOf(await missing())).toEqual([english]);
  await linked({ object: listing(french), relatedTo: listing(english) });
  expect(idsOf(await missing())).toEqual([]);
  expect(idsOf(await missing({ language: 'ar' }))).toEqual([english]);
});

test('an object that is gone is not missing', async () => {
  const id = await told();
  await scoped(PublicHeadModel, shop.stack.demo.id).updateMany({ objectId: id }, { $set: { deleted: true } });
  expect(idsOf(await missing())).toEqual([]);
});

test('pages follow each other without gap or repetition, through all types', async () => {
  const dealers = [await told('en', 'Dealer'), await told('en', 'Dealer')];
  const listings: string[] = [];
  for (let index = 0; index < 5; index++) listings.push(await told());
  await translate(listings[1] ?? '');
  const paged: string[] = [];
  let after: string | null = null;
  do {
    const page: any = await missing({}, { first: 2, after });
    expect(page.nodes.length).toBeLessThanOrEqual(2);
    paged.push(...page.nodes.map(({ ref }: any) => ref.id));
    after = page.pageInfo.endCursor;
  } while (after !== null);
  expect(paged).toEqual([...dealers.sort(), ...listings.filter((_, index) => index !== 1).sort()]);
  expect(idsOf(await missing({ objectType: 'DEALER' }))).toEqual(dealers);
});

test('a page looks at a bounded number of objects, in three commands from indexes, and tells where to go on', async () => {
  const installationId = shop.stack.demo.id;
  const id = await told();
  await translate(id);
  const head = await scoped(PublicHeadModel, installationId).findOne({ objectId: id });
  if (!head) throw new Error('There is no head.');
  const { installationId: _, ...copy } = head;
  await scoped(PublicHeadModel, installationId).insertAbsent(
    Array.from({ length: 600 }, (_each, index) => {
      const objectId = `${id}${String(index).padStart(3, '0')}`;
      return { ...copy, _id: `listing:${objectId}`, objectId, languageTag: 'fr' };
    }),
  );
  const source = `query ($after: String) { translations(first: 2, after: $after,
    filter: { missing: true, language: "fr", objectType: LISTING }) { nodes { id } pageInfo { endCursor } } }`;
  const read = (after: string | null = null) => shop.ask(source, { after });
  await read();
  const commands = await commandsOf(read);
  expect(commands.filter((command) => /translation/.test(command))).toEqual([
    'find translation_object_heads',
    'find translations',
    'find translations',
  ]);
  for (const { command, indexes } of await indexesOf(read))
    if (/translation/.test(command)) expect(indexes.length).toBeGreaterThan(0);
  const pages: unknown[][] = [];
  let after: string | null = null;
  do {
    const { nodes, pageInfo }: any = (await read(after)).translations;
    pages.push(nodes);
    after = pageInfo.endCursor;
  } while (after !== null);
  expect(pages).toEqual([[], [], [], []]);
});

test('what is missing is missing in a language, and has no status', async () => {
  const refused = (filter: object) => shop.refuse(list, { filter: { missing: true, ...filter } });
  expect(await refused({})).toMatchObject({ status: 422, errors: [{ pointer: '#/filter/language' }] });
  expect(await refused({ language: 'fr', live: true, status: ['DRAFT'] })).toMatchObject({
    status: 422,
    errors: [{ pointer: '#/filter/status' }, { pointer: '#/filter/live' }],
  });
  for (let index = 0; index < 3; index++) await told();
  const { pageInfo } = await missing({}, { first: 1 });
  expect(
    await shop.refuse(list, { filter: { missing: true, language: 'de' }, after: pageInfo.endCursor }),
  ).toMatchObject({ code: 'invalid_cursor' });
});
