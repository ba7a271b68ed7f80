import { readsWithoutIndex } from '../../../../test/contract/reads/indexFor.ts';
import { product } from '../../../../test/support/product.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { indexesOf } from '../../../../test/support/stack/indexesOf.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { french, openDesk, ref } from '../../fixture/openDesk.ts';
import { forgetObject } from '../erasure/forgetObject.ts';

const world = product();
const { people, car, link, linkCars, unlink, groupOf, groupIdOf, records } = openDesk(world);

const ofRelations = / (?:translations|relation_groups)$/;
/** Commands on the collections of relations. The caller and the languages are cached. */
const commandsOn = async (work: () => Promise<unknown>): Promise<string[]> =>
  (await commandsOf(work)).filter((command) => ofRelations.test(command));

test('a link writes its group in one command and both objects in another one, without a read afterwards', async () => {
  const [english, french] = [await car(), await car({ language: 'fr' })];
  const join = () =>
    people.editor.linkRelation({ object: ref(french), relatedTo: ref(english) }, 'group { members { id } }');
  const begin = ['find translations', 'find translations', 'insert relation_groups'];
  expect(await commandsOn(join)).toEqual([...begin, 'insert translations']);
  expect(await commandsOn(() => unlink(french))).toEqual([
    'find relation_groups',
    'find translations',
    'find translations',
    'find translations',
    'findAndModify relation_groups',
    'update translations',
  ]);
  expect(await commandsOn(join)).toEqual([...begin, 'update translations']);
});

test('a link costs the same commands for a group of two as for a group of three', async () => {
  const [source] = await linkCars('en', 'fr');
  const cost = async (language: string) => {
    const object = ref(await car({ language }));
    return commandsOn(() => link({ object, relatedTo: ref(source) }));
  };
  expect(await cost('de')).toEqual(await cost('ar'));
});

test('a merge costs the same commands for any number of members', async () => {
  const cost = async (...languages: string[]) => {
    const [[staying], [leaving = '']] = [await linkCars('en', 'fr'), await linkCars(...languages)];
    const input = { intoGroupId: await groupIdOf(staying), fromGroupId: await groupIdOf(leaving) };
    return commandsOn(() => people.editor.mergeRelationGroups(input));
  };
  expect(await cost('de', 'ar', 'nl', 'pt-br')).toEqual(await cost('de', 'ar'));
});

test('every operation on one object reads through indexes', async () => {
  const [english, german] = await linkCars('en', 'de');
  const { editor } = people;
  const change = { objectType: 'LISTING', objectId: english, language: 'fr', note: newId('group') } as const;
  const operations = [
    () => groupOf(german),
    () => editor.resolveTranslation({ objectType: 'LISTING', objectId: [english], language: 'fr' }),
    () => editor.createTranslation({ source: ref(english), language: 'fr', fields: french }),
    () => editor.changeTranslationStatus(change),
    () => unlink(german),
  ];
  for (const operation of operations) {
    let answer: unknown;
    const plans = await indexesOf(async () => void (answer = await operation()));
    expect(answer).not.toBeRefused();
    const own = plans.filter(({ command }) => ofRelations.test(command));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter(({ indexes }) => indexes.length === 0)).toEqual([]);
  }
});

test('an erasure reads the records of an object and of its group through indexes', async () => {
  const [id] = await linkCars('en', 'de');
  const { installation } = world.market;
  const context = { installationId: installation.id, platform: world.stack.platform, viewer: { id: 'test' } };
  expect(await readsWithoutIndex(() => forgetObject(context, { type: 'listing', id }, 'en'))).toEqual([]);
  expect((await records().findOne({ objectId: id }))?.groupId).toBeNull();
});
