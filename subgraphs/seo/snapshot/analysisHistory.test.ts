import { createNeighbour } from '../../../test/support/createNeighbour.ts';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import type { SignedIn } from '../../../test/support/signIn.ts';
import { newId } from '../../platform/ids/newId.ts';
import { countCommands } from '../../platform/mongo/countCommands.ts';
import { buildSeo } from '../server.ts';

const neighbour = createNeighbour();
let stack: TestStack;
let seller: SignedIn;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildSeo], askOwner: neighbour.askOwner });
  seller = await stack.signIn();
});
afterAll(() => stack.close());

const page = `nodes { id createdAt createdBy { id } source contentVersion ruleset scores { seo { value } } }
  pageInfo { hasNextPage endCursor }`;

function putListing(contentVersion: number, id = newId('listing'), ownerId = seller.id) {
  neighbour.put({
    type: 'Listing',
    id,
    installationId: stack.demo.id,
    ownerId,
    contentVersion,
    content: {
      languageTag: 'en',
      visibility: 'PRIVATE',
      url: null,
      slug: null,
      title: 'Tyre',
      html: `<p>Text number ${contentVersion} about a tyre for winter roads, tested by many drivers.</p>`,
      fields: {},
    },
  });
  return { type: 'LISTING', id };
}

async function refresh(object: object): Promise<string> {
  const { data, errors } = await stack.execute(
    'mutation ($input: SeoRefreshInput!) { seoRefresh(input: $input) { current { id } } }',
    { input: { object } },
    { as: seller },
  );
  expect(errors).toBeUndefined();
  return data?.seoRefresh.current.id;
}

/** An object with as many analyses, the newest last. */
async function analysed(times: number) {
  const object = putListing(1);
  const ids: string[] = [];
  for (let version = 1; version <= times; version += 1) {
    putListing(version, object.id);
    // Two of one millisecond would come in the order of their ids.
    stack.advance(1000);
    ids.push(await refresh(object));
  }
  return { object, ids };
}

function history(object: object, args = '', as: SignedIn = seller) {
  return stack.execute(
    `query ($object: SeoObjectRef!) { seoAnalysisHistory(object: $object${args}) { ${page} } }`,
    { object },
    { as },
  );
}

test('the history lists the scores of an object, the newest first, page by page', async () => {
  const { object, ids } = await analysed(3);
  const { data, errors } = await history(object, ', first: 2');
  expect(errors).toBeUndefined();
  const { nodes, pageInfo } = data?.seoAnalysisHistory ?? {};
  expect(nodes.map(({ id }: { id: string }) => id)).toEqual([ids[2], ids[1]]);
  expect(nodes[0]).toMatchObject({
    contentVersion: '3',
    source: 'REFRESH',
    ruleset: '2026.1',
    createdBy: { id: seller.id },
    scores: { seo: { value: expect.any(Number) } },
  });
  const rest = await history(object, `, first: 2, after: "${pageInfo.endCursor}"`);
  expect(rest.data?.seoAnalysisHistory).toMatchObject({
    nodes: [{ id: ids[0] }],
    pageInfo: { hasNextPage: false },
  });
});

test('an object that nobody analysed has no history and no newest analysis', async () => {
  const object = putListing(1);
  const { data } = await history(object);
  expect(data?.seoAnalysisHistory).toEqual({ nodes: [], pageInfo: { hasNextPage: false, endCursor: null } });
  const latest = await stack.execute(
    'query ($object: SeoObjectRef!) { seoLatestAnalysis(object: $object) { id } }',
    { object },
    { as: seller },
  );
  expect(latest).toEqual({ data: { seoLatestAnalysis: null } });
});

test('the newest analysis says whether it is stale', async () => {
  const { object, ids } = await analysed(2);
  const read = () =>
    stack.execute(
      'query ($object: SeoObjectRef!) { seoLatestAnalysis(object: $object, locale: "en") { id stale } }',
      { object },
      { as: seller },
    );
  expect((await read()).data).toEqual({ seoLatestAnalysis: { id: ids[1], stale: false } });
  putListing(3, object.id);
  expect((await read()).data).toEqual({ seoLatestAnalysis: { id: ids[1], stale: true } });
});

test('a history costs the same commands however long it is, also with every analysis whole', async () => {
  const read = async (object: object, first: number) => {
    const { commands } = await countCommands(() =>
      stack.execute(
        `query ($object: SeoObjectRef!) { seoAnalysisHistory(object: $object, first: ${first}) {
          nodes { id analysis { checks { id } } } } }`,
        { object },
        { as: seller },
      ),
    );
    return commands.filter((name) => name.includes('seo_')).sort();
  };
  const { object } = await analysed(3);
  expect(await read(object, 3)).toEqual(await read(object, 1));
  expect(await read(object, 3)).toEqual(['find seo_records', 'find seo_snapshots', 'find seo_snapshots']);
});

test('findings are there wherever an analysis is asked for them, and are read for no other', async () => {
  const { object } = await analysed(1);
  const read = async (selection: string) => {
    const { result, commands } = await countCommands(() =>
      stack.execute(
        `query ($object: SeoObjectRef!) { seoRecord(object: $object) { ${selection} } }
        fragment Found on SeoAnalysisSnapshot { checks { id } metrics { words } }`,
        { object },
        { as: seller },
      ),
    );
    expect(result.errors).toBeUndefined();
    return {
      record: result.data?.seoRecord,
      reads: commands.filter((name) => name === 'find seo_snapshots'),
    };
  };
  const scores = 'latestAnalysis { id scores { seo { value } } }';
  const found = 'found: latestAnalysis { id ...Found }';
  const { record, reads } = await read(`${scores} ${found}`);
  expect(record.found.checks.length).toBeGreaterThan(10);
  expect(record.found.metrics.words).toBeGreaterThan(5);
  expect(record.latestAnalysis).toMatchObject({ id: record.found.id, scores: { seo: {} } });
  expect(reads).toHaveLength(2);
  expect((await read(found)).reads).toHaveLength(1);
});

test('the history of somebody else’s object is refused', async () => {
  const object = putListing(1, newId('listing'), newId('user'));
  expect(problemOf(await history(object))).toMatchObject({ status: 403, code: 'ownership_required' });
  expect(problemOf(await history({ type: 'LISTING', id: newId('listing') }))).toMatchObject({ status: 404 });
});

describe('the analyses of a record', () => {
  const source = `query ($object: SeoObjectRef!, $first: Int, $after: String) { seoRecord(object: $object) {
    analyses(first: $first, after: $after) { nodes { id contentVersion scores { seo { value } } analysis { id } }
      pageInfo { hasNextPage endCursor } } } }`;
  const read = async (object: object, paging: object = {}) =>
    stack.execute(source, { object, ...paging }, { as: seller });

  test('come page by page, the newest first, each with all of it', async () => {
    const { object, ids } = await analysed(3);
    const newest = ids.toReversed();
    const first = (await read(object, { first: 2 })).data?.seoRecord.analyses;
    expect(first.nodes.map(({ id }: { id: string }) => id)).toEqual(newest.slice(0, 2));
    expect(first.nodes[0]).toMatchObject({ contentVersion: '3', analysis: { id: newest[0] } });
    expect(first.pageInfo.hasNextPage).toBe(true);
    const rest = (await read(object, { first: 2, after: first.pageInfo.endCursor })).data?.seoRecord.analyses;
    expect(rest.nodes.map(({ id }: { id: string }) => id)).toEqual(newest.slice(2));
    expect(rest.pageInfo).toEqual({ hasNextPage: false, endCursor: null });
  });

  test('refuse a cursor of another record, and a page of nothing', async () => {
    const [one, other] = [await analysed(2), await analysed(2)];
    const { pageInfo } = (await read(one.object, { first: 1 })).data!.seoRecord.analyses;
    expect(problemOf(await read(other.object, { first: 1, after: pageInfo.endCursor })).code).toBe(
      'invalid_cursor',
    );
    expect(problemOf(await read(one.object, { first: 0 })).code).toBe('malformed_request');
  });

  test('of many records cost the commands of one', async () => {
    const objects = [await analysed(2), await analysed(2), await analysed(1)].map(({ object }) => object);
    const many = `query (${objects.map((_, index) => `$o${index}: SeoObjectRef!`).join(', ')}) { ${objects
      .map((_, index) => `r${index}: seoRecord(object: $o${index}) { analyses { nodes { id } } }`)
      .join(' ')} }`;
    const variables = Object.fromEntries(objects.map((object, index) => [`o${index}`, object]));
    const { result, commands } = await countCommands(() => stack.execute(many, variables, { as: seller }));
    expect(result.errors).toBeUndefined();
    expect(result.data?.r1.analyses.nodes).toHaveLength(2);
    expect(commands.filter((name) => name.includes('seo_snapshots'))).toEqual(['find seo_snapshots']);
  });
});
