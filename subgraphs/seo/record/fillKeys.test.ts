import { createNeighbour } from '../../../test/support/createNeighbour.ts';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import type { SignedIn } from '../../../test/support/signIn.ts';
import { newId } from '../../platform/ids/newId.ts';
import { countCommands } from '../../platform/mongo/countCommands.ts';
import { buildSeo } from '../server.ts';
import { SeoRecordModel, type StoredSeoRecord } from './model.ts';
import { toKeys } from './toKeys.ts';

const neighbour = createNeighbour();
let stack: TestStack;
let seller: SignedIn;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildSeo], askOwner: neighbour.askOwner });
  seller = await stack.signIn();
});
afterAll(() => stack.close());

const fields = { keyphrase: 'winter tyre', seoTitle: 'Tyres', metaDescription: null };

/** A record as an earlier release stored it: without keys, or with some of them. */
async function storeEarly(installationId: string, more: object = {}): Promise<string> {
  const _id = newId('seoRecord');
  const now = new Date();
  const record = {
    _id,
    installationId,
    objectType: 'listing',
    objectId: newId('listing'),
    locale: 'en',
    ...fields,
    synonyms: [],
    slug: null,
    canonicalUrl: null,
    noindex: false,
    isCornerstone: false,
    revision: 1,
    latest: null,
    createdAt: now,
    updatedAt: now,
    ...more,
  };
  await SeoRecordModel.collection.insertOne(record as never);
  return _id;
}

async function read(id: string): Promise<StoredSeoRecord> {
  const found = await SeoRecordModel.collection.findOne({ _id: id as never });
  return found as unknown as StoredSeoRecord;
}

test('records of an earlier release get what others find them by, in every installation', async () => {
  const early = await storeEarly(stack.demo.id);
  const partial = await storeEarly(stack.other.id, { keys: { keyphrase: 'stale' }, revision: 3 });
  const before = await read(early);
  await stack.runJob('seo.record-keys');
  const keys = toKeys(fields, 'en');
  expect(keys).toEqual({
    keyphrase: expect.any(String),
    seoTitle: expect.any(String),
    metaDescription: null,
  });
  expect(await read(early)).toEqual({ ...before, keys });
  expect((await read(partial)).keys).toEqual(keys);
});

test('more of them than one command reads are all seen, and what is complete is not written', async () => {
  const ids = await Promise.all(Array.from({ length: 205 }, () => storeEarly(stack.demo.id)));
  await stack.runJob('seo.record-keys');
  const left = await SeoRecordModel.collection.countDocuments({ keys: { $exists: false } });
  expect([ids.length, left]).toEqual([205, 0]);
  const { commands } = await countCommands(() => stack.runJob('seo.record-keys'));
  expect(commands.filter((command) => command.startsWith('update'))).toEqual([]);
});

test('a record without keys is read, analysed and saved all the same', async () => {
  const id = await storeEarly(stack.demo.id);
  const { objectId } = await read(id);
  const html = '<p>One two three.</p>';
  neighbour.put({
    type: 'Listing',
    id: objectId,
    installationId: stack.demo.id,
    ownerId: seller.id,
    contentVersion: 1,
    content: {
      languageTag: 'en',
      visibility: 'PUBLIC',
      url: null,
      slug: null,
      title: 'Tyre',
      html,
      fields: {},
    },
  });
  const object = { type: 'LISTING', id: objectId };
  const run = (field: string, type: string, selection: string, input: object) =>
    stack.execute(
      `mutation ($input: ${type}!) { ${field}(input: $input) ${selection} }`,
      { input: { object, ...input } },
      { as: seller },
    );
  const refreshed = await run('seoRefresh', 'SeoRefreshInput', '{ changed indexed { keyphrase } }', {});
  expect(refreshed).toEqual({ data: { seoRefresh: { changed: true, indexed: { keyphrase: false } } } });
  const saved = await run('updateSeoRecord', 'UpdateSeoRecordInput', '{ record { keyphrase } }', {
    keyphrase: 'snow tyre',
  });
  expect(saved.errors).toBeUndefined();
  await stack.runJob('seo.record-keys');
  expect((await read(id)).keys).toEqual(toKeys({ ...fields, keyphrase: 'snow tyre' }, 'en'));
});
