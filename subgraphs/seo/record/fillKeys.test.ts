import { commandsOf } from '../../../test/support/commandsOf.ts';
import { product } from '../../../test/support/product.ts';
import type { SeededUser } from '../../../test/support/seed.ts';
import { newId } from '../../platform/ids/newId.ts';
import { createPage } from '../fixture/createPage.ts';
import { SeoRecordModel, type StoredSeoRecord } from './model.ts';
import { toKeys } from './toKeys.ts';

const world = product();
let editor: SeededUser;
beforeAll(async () => {
  editor = await world.market.staff('editor');
});

const fields = { keyphrase: 'winter tyre', seoTitle: 'Tyres', metaDescription: null };
const fillKeys = () => world.stack.runJob('seo.record-keys');

/** A record as an earlier release stored it: without keys, or with some of them. */
function earlyRecord(changes: Partial<StoredSeoRecord> = {}) {
  return {
    _id: newId('seoRecord'),
    installationId: world.market.installation.id,
    objectType: 'page',
    objectId: newId('page'),
    locale: 'en',
    ...fields,
    synonyms: [],
    slug: null,
    canonicalUrl: null,
    noindex: false,
    isCornerstone: false,
    revision: 1,
    latest: null,
    createdAt: new Date(),
    updatedAt: new Date(),
    ...changes,
  };
}

const store = (...records: object[]) => SeoRecordModel.collection.insertMany(records);
const stored = (_id: string) => SeoRecordModel.collection.findOne({ _id: _id as never });

test('records of an earlier release get their search keys in every installation', async () => {
  const { installation } = await world.neighbour();
  const early = earlyRecord();
  const partial = earlyRecord({ installationId: installation.id, keys: { keyphrase: 'stale' } as never });
  await store(early, partial);
  await fillKeys();
  const keys = toKeys(fields, 'en');
  const text = expect.any(String);
  expect(keys).toEqual({ keyphrase: text, seoTitle: text, metaDescription: null });
  expect(await stored(early._id)).toEqual({ ...early, keys });
  expect((await stored(partial._id))?.keys).toEqual(keys);
});

test('more records than one command reads are all completed, and complete ones are not written', async () => {
  const records = Array.from({ length: 205 }, () => earlyRecord());
  await store(...records);
  await fillKeys();
  const ids = records.map(({ _id }) => _id);
  const left = { _id: { $in: ids as never[] }, keys: { $exists: false } };
  expect(await SeoRecordModel.collection.countDocuments(left)).toBe(0);
  expect((await commandsOf(fillKeys)).filter((name) => name.startsWith('update'))).toEqual([]);
});

test('a record without keys is analysed and saved', async () => {
  const object = await createPage(editor);
  const record = earlyRecord({ objectId: object.id });
  await store(record);
  const refreshed = await editor.seoRefresh({ object }, 'changed indexed { keyphrase }');
  expect(refreshed).toEqual({ changed: true, indexed: { keyphrase: false } });
  await editor.updateSeoRecord({ object, keyphrase: 'snow tyre' });
  await fillKeys();
  const keys = toKeys({ ...fields, keyphrase: 'snow tyre' }, 'en');
  expect((await stored(record._id))?.keys).toEqual(keys);
});
