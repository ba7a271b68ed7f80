import { openDesk } from '../../subgraphs/translation/fixture/openDesk.ts';
import { product } from '../support/product.ts';
import { commandsOf } from '../support/stack/commandsOf.ts';

const world = product();
const { people, car, rename, translate, write, run } = openDesk(world);
const settle = () => run('identity.relay', 'translation.object-heads', 'translation.outdated');
const select = 'nodes { id outdated outdatedSince changedSourceFields version }';
const outdated = async () => (await people.editor.translations({ filter: { outdated: true } }, select)).nodes;

test('the list of outdated translations contains those of a changed source until the change is undone', async () => {
  const id = await car();
  const made = [await translate(id), await translate(id, { language: 'de' })];
  await settle();
  expect(await outdated()).toEqual([]);
  await rename(id, 'Very good car');
  await settle();
  const found = await outdated();
  const entry = { outdated: true, changedSourceFields: ['title'], version: 1 };
  expect(new Set(found.map((node) => node.id))).toEqual(new Set(made.map((text) => text.id)));
  for (const node of found) expect(node).toMatchObject({ ...entry, outdatedSince: expect.anything() });
  await rename(id, 'Good car');
  await settle();
  expect(await outdated()).toEqual([]);
});

test('a translation of a translation is outdated when the latter changes', async () => {
  const { id, fields } = await translate(await car());
  const german = await translate(id, { language: 'de' });
  await write({ id, expectedVersion: 1, fields: { title: 'Très bonne voiture' } });
  expect((await outdated()).map((node) => node.id)).toEqual([german.id]);
  await write({ id, expectedVersion: 2, fields: { title: fields?.title ?? null } });
  expect(await outdated()).toEqual([]);
});

test('a change of a source costs the same commands for one translation and for three', async () => {
  const costs = [];
  for (const languages of [['fr'], ['fr', 'de', 'ar']]) {
    const id = await car();
    for (const language of languages) await translate(id, { language });
    await settle();
    await rename(id, 'Another car');
    await run('identity.relay');
    const commands = await commandsOf(() => run('translation.outdated'));
    costs.push(commands.filter((command) => command.endsWith(' translations')));
  }
  expect(costs).toEqual(Array.from({ length: 2 }, () => ['update translations', 'update translations']));
});

test('translation coverage counts each object once per language, as live, by status or as missing', async () => {
  const ids = [(await world.market.dealer()).id, (await world.market.dealer()).id];
  const read = async () => {
    const members = 'language { code } total live outdated missing byStatus { status count }';
    const cells = await people.editor.translationCoverage({ objectType: 'DEALER' }, members);
    const cell = cells.find(({ language }) => language.code === 'fr');
    if (!cell) throw new Error('French has no coverage.');
    return cell;
  };
  await settle();
  const before = await read();
  const fields = { description: 'Depuis 1972.' };
  for (const [index, status] of (['PUBLISHED', 'DRAFT'] as const).entries())
    await translate('', { source: { type: 'DEALER', id: ids[index] ?? '' }, status, fields });
  const after = await read();
  const counts = { total: before.total, live: before.live + 1, missing: before.missing - 2 };
  expect(after).toMatchObject(counts);
  const count = (name: string) => after.byStatus.find(({ status }) => status === name)?.count;
  expect([count('PUBLISHED'), count('DRAFT')]).toEqual([1, 1]);
});
