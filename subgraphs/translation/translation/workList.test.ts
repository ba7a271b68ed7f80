import { commandsOf } from '../../../test/support/commandsOf.ts';
import { indexesOf } from '../../../test/support/indexesOf.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { change, create } from '../fixture/operations.ts';

let shop: Shop;
let french: string[];
let german: string;
beforeAll(async () => {
  shop = await openShop();
  french = [];
  for (let index = 0; index < 5; index++) french.push(await begin('fr'));
  german = await begin('de', { status: 'PUBLISHED' });
  await set({ id: french[0], status: 'NEEDS_REVIEW' });
  await set({ id: french[1], outdated: true });
  await set({ id: french[2], assigneeId: shop.people.translator.id });
});
afterAll(() => shop.stack.close());

const fields = { title: 'Bonne voiture', description: 'Roule bien' };
async function begin(language: string, options: object = {}): Promise<string> {
  const input = { source: { type: 'LISTING', id: shop.listing() }, language, fields, ...options };
  return (await shop.ask(create, { input })).createTranslation.translation.id;
}
const set = (input: object) => shop.ask(change, { input });

const list = /* GraphQL */ `query ($filter: TranslationFilter, $first: Int, $after: String) {
  translations(filter: $filter, first: $first, after: $after) {
    nodes { id status languageCode } pageInfo { hasNextPage endCursor } totalCount
  }
}`;
const work = async (filter: object | null = null, page: object = {}, as = shop.people.editor) =>
  (await shop.ask(list, { filter, ...page }, { as })).translations;
const idsOf = ({ nodes }: any): string[] => nodes.map(({ id }: { id: string }) => id);

test.each<[string, object, () => string[]]>([
  ['a language', { language: 'FR' }, () => french],
  ['a status', { language: 'fr', status: ['NEEDS_REVIEW'] }, () => [french[0] as string]],
  ['several statuses', { language: 'fr', status: ['NEEDS_REVIEW', 'DRAFT'] }, () => french],
  ['what is outdated', { outdated: true }, () => [french[1] as string]],
  ['what readers get', { language: 'de', live: true }, () => [german]],
  ['what nobody reads', { language: 'de', live: false }, () => []],
  ['another type', { language: 'fr', objectType: 'PAGE' }, () => []],
])('work is found by %s', async (_, filter, expected) => {
  const found = await work(filter);
  expect(idsOf(found).sort()).toEqual([...expected()].sort());
  expect(found.totalCount).toBe(String(expected().length));
});

test('a translator finds what is his', async () => {
  const { translator } = shop.people;
  expect(idsOf(await work({ assigneeId: translator.id }, {}, translator))).toEqual([french[2]]);
});

test('what was changed last comes first, and pages follow each other without gap or repetition', async () => {
  const all = idsOf(await work({ language: 'fr' }));
  expect(all[0]).toBe(french[2]);
  const paged: string[] = [];
  let after: string | null = null;
  do {
    const page: any = await work({ language: 'fr' }, { first: 2, after });
    paged.push(...idsOf(page));
    after = page.pageInfo.endCursor;
  } while (after !== null);
  expect(paged).toEqual(all);
});

test('pages of several statuses follow each other as one list', async () => {
  const statuses = ['NEEDS_REVIEW', 'DRAFT', 'PUBLISHED'];
  const all = idsOf(await work({ status: statuses }));
  expect(all).toHaveLength(12);
  expect(all).toEqual(idsOf(await work()));
  const paged: string[] = [];
  let after: string | null = null;
  do {
    const page: any = await work({ status: statuses }, { first: 2, after });
    paged.push(...idsOf(page));
    after = page.pageInfo.endCursor;
  } while (after !== null);
  expect(paged).toEqual(all);
});

test('a list that tells how texts stand to their sources asks the owner once, and reads no source', async () => {
  const detailed = /* GraphQL */ `{ translations(filter: { language: "fr" }) { nodes {
    status live url outdated outdatedSince changedSourceFields sourceDigest currentSourceDigest allowedTransitions } } }`;
  const before = shop.neighbour.questions;
  const commands = await commandsOf(async () => {
    const { nodes } = (await shop.ask(detailed)).translations;
    expect(nodes).toHaveLength(french.length);
    for (const { sourceDigest, currentSourceDigest } of nodes) expect(currentSourceDigest).toBe(sourceDigest);
  });
  expect(shop.neighbour.questions - before).toBe(1);
  expect(commands.filter((command) => command.endsWith(' translations'))).toEqual(['find translations']);
});

test('a cursor of another list is refused', async () => {
  const { pageInfo } = await work({ language: 'fr' }, { first: 2 });
  const variables = { filter: { language: 'de' }, after: pageInfo.endCursor };
  expect(await shop.refuse(list, variables)).toMatchObject({ code: 'invalid_cursor' });
});

test('a language that is not configured and an empty list of statuses are refused', async () => {
  expect(await shop.refuse(list, { filter: { language: 'xx' } })).toMatchObject({
    code: 'language_not_configured',
  });
  expect(await shop.refuse(list, { filter: { status: [] } })).toMatchObject({ status: 422 });
});

test.each(['dealer', 'rival', 'buyer'] as const)(
  'the %s, whose reach is not the installation, gets none',
  async (name) => {
    expect(await shop.refuse(list, {}, { as: shop.people[name] })).toMatchObject({
      status: 403,
      code: 'permission_required',
    });
  },
);

const order = 'updatedAt_1__id_1';
test.each<[string, object, string, number?]>([
  ['of everything', {}, order],
  ['of a language and a status', { language: 'fr', status: ['DRAFT'] }, `language_1_status_1_${order}`],
  ['of what is outdated in a language', { language: 'fr', outdated: true }, `outdated_1_language_1_${order}`],
  ['of an assignee', { assigneeId: 'usr_x' }, `assigneeId_1_${order}`],
  ['of a language', { language: 'fr' }, `language_1_${order}`],
  ['of a type', { objectType: 'PAGE' }, `objectType_1_${order}`],
  ['of what is live in a language', { language: 'fr', live: true }, `language_1_${order}`],
  ['of a status', { status: ['DRAFT'] }, `status_1_${order}`],
  ['of what is outdated', { outdated: true }, `outdated_1_${order}`],
  [
    'of three statuses',
    { language: 'fr', status: ['DRAFT', 'NEEDS_REVIEW', 'PUBLISHED', 'DRAFT'] },
    `language_1_status_1_${order}`,
    3,
  ],
])(
  'a page %s is one command a status, in the order of an index, with nothing to sort',
  async (_, filter, index, commands = 1) => {
    const source = /* GraphQL */ `query ($filter: TranslationFilter, $after: String) {
    translations(filter: $filter, first: 1, after: $after) { nodes { id } pageInfo { endCursor } }
  }`;
    const ask = (variables: object) => () => shop.ask(source, variables);
    const { translations } = await ask({ filter })();
    const after = translations.pageInfo.endCursor;
    for (const page of [{ filter }, ...(after === null ? [] : [{ filter, after }])]) {
      const own = (command: string) => command.endsWith(' translations');
      expect((await commandsOf(ask(page))).filter(own)).toEqual(
        Array.from({ length: commands }, () => 'find translations'),
      );
      const name = `installationId_1_${index}`;
      const plans = (await indexesOf(ask(page), { collection: 'translations', index: name })).filter(
        ({ command }) => own(command),
      );
      expect(plans).toHaveLength(commands);
      for (const { indexes, sorts } of plans) {
        expect(indexes).toContain(name);
        expect(sorts).toBe(false);
      }
    }
  },
);
