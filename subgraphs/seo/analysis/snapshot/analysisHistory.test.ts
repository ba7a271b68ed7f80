import { product } from '../../../../test/support/product.ts';
import type { SeededUser } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { createPage } from '../../fixture/createPage.ts';

type PageObject = Awaited<ReturnType<typeof createPage>>;
type Paging = { first?: number; after?: string | null };

const world = product();
let editor: SeededUser;
beforeAll(async () => {
  editor = await world.market.staff('editor');
});

const write = ({ id }: PageObject, version: number) =>
  editor.updatePage({ pageId: id, html: `<p>Text number ${version} about a tyre for winter roads.</p>` });

/** A page with so many analyses, whose ids are in descending order of creation. */
async function analysed(times: number) {
  const object = await createPage(editor);
  const ids: string[] = [];
  for (let version = 1; version <= times; version += 1) {
    if (version > 1) await write(object, version);
    // Two of one millisecond would come in the order of their ids.
    world.stack.advance(1000);
    ids.unshift((await editor.seoRefresh({ object }, 'current { id }')).current.id);
  }
  return { object, ids };
}

const ofRecord = async (object: PageObject, { first = 10, after = null }: Paging) => {
  const cursor = after === null ? '' : `, after: "${after}"`;
  const members =
    'nodes { id contentVersion analysis { id } } pageInfo { hasNextPage hasPreviousPage endCursor }';
  const select = `analyses(first: ${first}${cursor}) { ${members} }`;
  return (await editor.seoRecord({ object }, select)).analyses;
};

test.each([
  ['an object', (object: PageObject, paging: Paging) => editor.seoAnalysisHistory({ object, ...paging })],
  ['a record', ofRecord],
])('the analyses of %s are listed page by page in descending order of creation', async (_, read) => {
  const { object, ids } = await analysed(3);
  const first = await read(object, { first: 2 });
  expect(first.nodes.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  expect(first.nodes[0]).toMatchObject({ contentVersion: '3', analysis: { id: ids[0] } });
  expect(first.pageInfo.hasNextPage).toBe(true);
  const rest = await read(object, { first: 2, after: first.pageInfo.endCursor ?? null });
  expect(rest.nodes.map(({ id }) => id)).toEqual(ids.slice(2));
  expect(rest.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
});

test('an entry of the history states author, source, ruleset and scores', async () => {
  const { object } = await analysed(1);
  const { nodes } = await editor.seoAnalysisHistory({ object });
  const scores = { seo: { value: expect.any(Number) } };
  const author = { createdBy: { id: editor.id } };
  expect(nodes).toMatchObject([{ source: 'REFRESH', ruleset: '2026.1', scores, ...author }]);
});

test('an object without analyses has an empty history and no latest analysis', async () => {
  const object = await createPage(editor);
  const empty = { nodes: [], pageInfo: { hasNextPage: false, startCursor: null, endCursor: null } };
  expect(await editor.seoAnalysisHistory({ object })).toMatchObject(empty);
  expect(await editor.seoLatestAnalysis({ object })).toBeNull();
});

test('the latest analysis is stale after the text changed', async () => {
  const { object, ids } = await analysed(2);
  const read = () => editor.seoLatestAnalysis({ object, locale: 'en' }, 'id stale');
  expect(await read()).toEqual({ id: ids[0], stale: false });
  await write(object, 3);
  expect(await read()).toEqual({ id: ids[0], stale: true });
});

test('findings are read only for analyses whose findings are selected', async () => {
  const { object } = await analysed(1);
  const scores = 'latestAnalysis { id scores { seo { value } } }';
  const found =
    'found: latestAnalysis { id ... on SeoAnalysisSnapshot { checks { checkId } metrics { words } } }';
  const record = await editor.seoRecord({ object }, `${scores} ${found}`);
  expect(record.latestAnalysis).toMatchObject({ scores: { seo: {} } });
  expect(record).toMatchObject({ found: { id: record.latestAnalysis?.id, metrics: { words: 13 } } });
  const countReads = async (select: string) =>
    (await commandsOf(() => editor.seoRecord({ object }, select))).filter(
      (name) => name === 'find seo_snapshots',
    ).length;
  expect([await countReads(found), await countReads(`${scores} ${found}`)]).toEqual([1, 2]);
});

test('a cursor of another record and a page of no entries are refused', async () => {
  const [one, other] = [await analysed(2), await analysed(1)];
  const { pageInfo } = await ofRecord(one.object, { first: 1 });
  const select = (paging: string) => `analyses(${paging}) { nodes { id } }`;
  const read = ({ object }: typeof one, paging: string) => editor.seoRecord({ object }, select(paging));
  expect(await read(other, `after: "${pageInfo.endCursor}"`)).toBeRefused(400, 'invalid_cursor');
  expect(await read(one, 'first: 0')).toBeRefused(400, 'malformed_request');
});

test('the analyses of several records are read by one command', async () => {
  const objects = [(await analysed(2)).object, (await analysed(1)).object];
  const fields = objects.map(
    ({ id }, index) =>
      `r${index}: seoRecord(object: { type: PAGE, id: "${id}" }) { analyses { nodes { id } } }`,
  );
  const query = `{ ${fields.join(' ')} }`;
  const commands = await commandsOf(async () => {
    const { body } = await editor.rest('POST', '/graphql', { body: { query } });
    expect(body.data.r0.analyses.nodes).toHaveLength(2);
  });
  expect(commands.filter((name) => name.includes('seo_snapshots'))).toEqual(['find seo_snapshots']);
});
