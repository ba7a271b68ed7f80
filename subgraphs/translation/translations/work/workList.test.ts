import { allPages } from '../../../../test/support/allPages.ts';
import type { Wire } from '../../../../test/support/operations.ts';
import { product } from '../../../../test/support/product.ts';
import { changesHeard } from '../../../../test/support/stack/changesHeard.ts';
import { commandsSettled } from '../../../../test/support/stack/commandsOf.ts';
import { indexesOf } from '../../../../test/support/stack/indexesOf.ts';
import { openDesk } from '../../fixture/openDesk.ts';
import type { TranslationFilter } from '../../translation.generated.ts';

const { people, car, translate, change } = openDesk(product());
/** Ids of the French translations, and of the German one. */
const texts: string[] = [];
let german: string;
beforeAll(async () => {
  for (let index = 0; index < 5; index++) texts.push((await translate(await car())).id);
  german = (await translate(await car(), { language: 'de', status: 'PUBLISHED' })).id;
  const [reviewed = '', outdated = '', assigned = ''] = texts;
  await change({ id: reviewed, status: 'NEEDS_REVIEW' });
  await change({ id: outdated, outdated: true });
  await change({ id: assigned, assigneeId: people.translator.id });
});

interface Page {
  first?: number;
  after?: string | null;
}
const list = (filter: Wire<TranslationFilter>, page: Page = {}) =>
  people.editor.translations(
    { filter, ...page },
    'nodes { id } pageInfo { endCursor } totalCount totalCountIsExact',
  );
async function idsOf(filter: Wire<TranslationFilter>): Promise<string[]> {
  return (await list(filter)).nodes.map(({ id }) => id as string);
}
/** Ids of all pages of two. */
const pagedIdsOf = async (filter: Wire<TranslationFilter>) =>
  (await allPages((after) => list(filter, { first: 2, after }))).map(({ id }) => id);

test.each<[string, Wire<TranslationFilter>, () => (string | undefined)[]]>([
  ['language', { language: 'FR' }, () => texts],
  ['status', { language: 'fr', status: ['NEEDS_REVIEW'] }, () => [texts[0]]],
  ['several statuses', { language: 'fr', status: ['NEEDS_REVIEW', 'DRAFT'] }, () => texts],
  ['outdated texts', { outdated: true }, () => [texts[1]]],
  ['live texts', { language: 'de', live: true }, () => [german]],
  ['texts that are not live', { language: 'de', live: false }, () => []],
  ['type', { language: 'fr', objectType: 'PAGE' }, () => []],
])('the list of translations is filtered by %s', async (_, filter, expected) => {
  const { nodes, totalCount } = await list(filter);
  expect(new Set(nodes.map(({ id }) => id))).toEqual(new Set(expected()));
  expect(totalCount).toBe(expected().length);
});

test('a translator can list their assigned translations', async () => {
  const filter = { assigneeId: people.translator.id };
  const { nodes } = await people.translator.translations({ filter }, 'nodes { id }');
  expect(nodes).toEqual([{ id: texts[2] }]);
});

test('translations are listed in descending order of change, and each is on one page', async () => {
  const all = await idsOf({ language: 'fr' });
  expect(all[0]).toBe(texts[2]);
  expect(await pagedIdsOf({ language: 'fr' })).toEqual(all);
});

test('pages with several statuses have the order of the unfiltered list', async () => {
  const status = ['NEEDS_REVIEW', 'DRAFT', 'PUBLISHED'] as const;
  const all = await idsOf({ status });
  expect(all).toHaveLength(12);
  expect(all).toEqual(await idsOf({}));
  expect(await pagedIdsOf({ status })).toEqual(all);
});

test('a cursor of another list, a language that is not configured and an empty list of statuses are refused', async () => {
  const { pageInfo } = await list({ language: 'fr' }, { first: 2 });
  const { endCursor: after = null } = pageInfo;
  expect(await list({ language: 'de' }, { after })).toBeRefused(400, 'invalid_cursor');
  expect(await list({ language: 'xx' })).toBeRefused(422, 'language_not_configured');
  expect(await list({ status: [] })).toBeRefused(422);
});

/** The commands below only read, so the changes before them are awaited once. */
beforeAll(changesHeard);
const order = 'updatedAt_1__id_1';
const both = ['DRAFT', 'PUBLISHED'] as const;
test.each<[string, Wire<TranslationFilter>, string]>([
  ['nothing', {}, order],
  ['language and status', { language: 'fr', status: ['DRAFT'] }, `language_1_status_1_${order}`],
  ['outdated texts of a language', { language: 'fr', outdated: true }, `outdated_1_language_1_${order}`],
  ['assignee', { assigneeId: 'usr_x' }, `assigneeId_1_${order}`],
  ['language', { language: 'fr' }, `language_1_${order}`],
  ['type', { objectType: 'PAGE' }, `objectType_1_${order}`],
  ['live texts of a language', { language: 'fr', live: true }, `language_1_${order}`],
  ['status', { status: ['DRAFT'] }, `status_1_${order}`],
  ['outdated texts', { outdated: true }, `outdated_1_${order}`],
  ['two statuses', { language: 'fr', status: [...both, 'DRAFT'] }, `language_1_status_1_${order}`],
])(
  'a page filtered by %s is read by one command for each status, sorted by an index',
  async (_, filter, keys) => {
    const { endCursor: after = null } = (await list(filter, { first: 1 })).pageInfo;
    const index = `installationId_1_${keys}`;
    for (const page of after === null ? [{}] : [{}, { after }]) {
      const select = 'nodes { id } pageInfo { endCursor }';
      const read = () => people.editor.translations({ filter, first: 1, ...page }, select);
      const isOwn = (command: string) => command.endsWith(' translations');
      const count = new Set(filter.status ?? ['']).size;
      expect((await commandsSettled(read)).filter(isOwn)).toHaveLength(count);
      const plans = await indexesOf(read, { collection: 'translations', index });
      const own = plans.filter(({ command }) => isOwn(command));
      const expected = { indexes: expect.arrayContaining([index]), sorts: false };
      expect(own).toEqual(Array.from({ length: count }, () => expect.objectContaining(expected)));
    }
  },
);
