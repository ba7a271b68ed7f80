import type { Wire } from '../../../../test/support/operations.ts';
import { product } from '../../../../test/support/product.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { group, openDesk, ref } from '../../fixture/openDesk.ts';
import type { RelationGroup } from '../../translation.generated.ts';

const { people, car, rivalCar, rename, link, linkCars, groupOf, groupIdOf } = openDesk(product());
const choose = (groupId: string, objectId: string, as = people.editor) =>
  as.setRelationSource({ groupId, object: ref(objectId) }, `changed group { ${group} }`);
const sourcesOf = ({ members }: Wire<RelationGroup>) => members.filter(({ isSource }) => isSource);
const memberOf = ({ members }: Wire<RelationGroup>, id: string) =>
  members.find((each) => each.ref.objectId === id);

test('a chosen member becomes the source, and the former source an up-to-date translation', async () => {
  const [english, french] = await linkCars('en', 'fr', 'de');
  const groupId = await groupIdOf(english);
  const { changed, group } = await choose(groupId, french);
  expect(changed).toBe(true);
  expect(group).toMatchObject({ version: 3, source: { ref: { objectId: french } } });
  expect(sourcesOf(group)).toMatchObject([{ ref: { objectId: french } }]);
  const former = { isSource: false, outdated: false, status: 'PUBLISHED' };
  expect(memberOf(group, english)).toMatchObject(former);
  expect(await choose(groupId, french)).toMatchObject({ changed: false, group: { version: 3 } });
  await rename(french, 'Voiture neuve');
  expect(memberOf(await groupOf(english), english)).toMatchObject({ outdated: true });
});

test('choosing a source is refused for a missing group or object, and for an object outside of the group', async () => {
  const [english, french] = await linkCars('en', 'fr');
  const groupId = await groupIdOf(english);
  expect(await choose(newId('group'), french)).toBeRefused(404, 'relation_not_found');
  expect(await choose(groupId, newId('listing'))).toBeRefused(404, 'object_not_found');
  expect(await choose(groupId, await car())).toBeRefused(404, 'relation_not_found');
});

test('a dealer can replace an own source by an own object only', async () => {
  const [english] = await linkCars('en', 'fr');
  const groupId = await groupIdOf(english);
  const foreign = await rivalCar({ language: 'de' });
  await link({ object: ref(foreign), groupId });
  expect(await choose(groupId, foreign, people.dealer)).toBeRefused(403, 'ownership_required');
  expect(await choose(groupId, english, people.rival)).toBeRefused(403, 'ownership_required');
  await choose(groupId, foreign);
  expect(await choose(groupId, english, people.dealer)).toBeRefused(403, 'ownership_required');
});

test('concurrent choices leave one source', async () => {
  const ids = await linkCars('en', 'fr', 'de', 'ar');
  const groupId = await groupIdOf(ids[0]);
  for (const answer of await Promise.all(ids.map((id) => choose(groupId, id))))
    expect(answer).not.toBeRefused();
  expect(sourcesOf(await groupOf(ids[0]))).toHaveLength(1);
});
