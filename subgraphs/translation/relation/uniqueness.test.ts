import { newId } from '../../platform/ids/newId.ts';
import { isDuplicateKey, scoped } from '../../platform/installation/scoped.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { relationsOf } from '../fixture/relations.ts';
import { type StoredTranslation, TranslationModel } from '../translation/model.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stack.close());

const { groupOf, makeGroup } = relationsOf(() => shop);
const translationsOf = (installationId: string) => scoped(TranslationModel, installationId);

/** A record of a group as it is stored, and one that takes nothing of it but what a test names. */
async function storedAndOther() {
  const [, french = ''] = await makeGroup('en', 'fr');
  const stored = (await translationsOf(shop.stack.demo.id).findOne({
    objectId: french,
  })) as StoredTranslation;
  const _id = newId('translation');
  const objectId = newId('listing');
  const other = {
    ...stored,
    _id,
    objectId,
    objectKey: `listing:${objectId}`,
    slotKey: `~${_id}`,
    groupId: null,
  };
  return { stored, other };
}

/** The unique index that refuses it. */
async function refusing(record: StoredTranslation, installationId = shop.stack.demo.id): Promise<string> {
  try {
    await translationsOf(installationId).insert(record);
    return 'none';
  } catch (error) {
    return ['objectKey', 'slotKey'].find((key) => isDuplicateKey(error, key)) ?? String(error);
  }
}

test('the database holds one record per object, whatever the code above it does', async () => {
  const { stored, other } = await storedAndOther();
  const second = { ...other, objectId: stored.objectId, objectKey: stored.objectKey };
  expect(await refusing(second)).toBe('objectKey');
  expect(await refusing(second, shop.stack.other.id)).toBe('none');
});

test('the database holds one object per language and group, and any number outside of groups', async () => {
  const { stored, other } = await storedAndOther();
  const second = { ...other, groupId: stored.groupId, slotKey: stored.slotKey };
  expect(await refusing(second)).toBe('slotKey');
  expect(await refusing(other)).toBe('none');
  expect((await groupOf(stored.objectId)).members).toHaveLength(2);
});

test('a record is moved to a slot that is taken by nobody’s write', async () => {
  const { stored, other } = await storedAndOther();
  await translationsOf(shop.stack.demo.id).insert(other);
  const moved = translationsOf(shop.stack.demo.id).findOneAndUpdate(
    { _id: other._id },
    { $set: { groupId: stored.groupId, slotKey: stored.slotKey } },
  );
  await expect(moved).rejects.toMatchObject({ code: 11000 });
});
