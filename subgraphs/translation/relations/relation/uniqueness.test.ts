import { product } from '../../../../test/support/product.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { isDuplicateKey } from '../../../platform/installation/scoped.ts';
import { openDesk } from '../../fixture/openDesk.ts';

const { linkCars, groupOf, records } = openDesk(product());

/** A record of a group, and a record of another object outside of groups. */
async function storedAndOther() {
  const [, french] = await linkCars('en', 'fr');
  const stored = await records().findOne({ objectId: french });
  if (!stored) throw new Error('The linked listing has no record.');
  const [_id, objectId] = [newId('translation'), newId('listing')];
  const keys = { objectKey: `listing:${objectId}`, slotKey: `~${_id}`, groupId: null };
  return { stored, other: { ...stored, _id, objectId, ...keys } };
}

/** The unique index that refuses a write. */
async function refusalOf(write: Promise<unknown>): Promise<string> {
  try {
    await write;
    return 'none';
  } catch (error) {
    return ['objectKey', 'slotKey'].find((key) => isDuplicateKey(error, key)) ?? String(error);
  }
}

test('the database refuses a second record of an object', async () => {
  const { stored, other } = await storedAndOther();
  const { objectId, objectKey } = stored;
  expect(await refusalOf(records().insert({ ...other, objectId, objectKey }))).toBe('objectKey');
});

test('the database refuses a second object of a language in a group, but not outside of groups', async () => {
  const { stored, other } = await storedAndOther();
  const { groupId, slotKey, objectId } = stored;
  expect(await refusalOf(records().insert({ ...other, groupId, slotKey }))).toBe('slotKey');
  expect(await refusalOf(records().insert(other))).toBe('none');
  const moved = records().findOneAndUpdate({ _id: other._id }, { $set: { groupId, slotKey } });
  expect(await refusalOf(moved)).toBe('slotKey');
  expect((await groupOf(objectId)).members).toHaveLength(2);
});
