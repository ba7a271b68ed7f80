import { createLanguageSettings } from '../../subgraphs/translation/language/createLanguageSettings.ts';
import { commandsOf } from '../support/commandsOf.ts';
import { openTestApp, type TestApp } from '../support/openTestApp.ts';
import { type SeededDealer, type SeededUser, seed } from '../support/seed.ts';

let app: TestApp;
let garage: SeededDealer;
let editor: SeededUser;

beforeAll(async () => {
  app = await openTestApp();
  await createLanguageSettings(app.stack.demo, {
    languages: [{ code: 'en' }, { code: 'de' }, { code: 'fr' }],
  });
  const shop = await seed(app.stack).in(app.stack.demo);
  garage = await shop.dealer();
  editor = await shop.staff('editor');
});
afterAll(() => app.close());

async function must(query: string, variables: object, as: { token: string } = editor): Promise<any> {
  const body = { query, variables };
  const { json } = await app.send({ method: 'POST', path: '/graphql', body, token: as.token });
  expect(json.errors).toBeUndefined();
  return json.data;
}

async function settle(): Promise<void> {
  for (const job of ['identity.relay', 'translation.object-heads', 'translation.outdated'])
    await app.stack.runJob(job);
}

const create =
  'mutation ($input: CreateTranslationInput!) { createTranslation(input: $input) { translation { id } } }';
const fields = { title: 'Bonne voiture', description: 'Roule très bien, un seul propriétaire.' };
async function translate(id: string, options: object = {}): Promise<string> {
  const input = { source: { type: 'LISTING', id }, language: 'fr', fields, ...options };
  return (await must(create, { input })).createTranslation.translation.id;
}
const update = 'mutation ($input: UpdateListingInput!) { updateListing(input: $input) { listing { id } } }';
const retitle = (listingId: string, title: string) =>
  must(update, { input: { listingId, title } }, garage.owner);
const list =
  '{ translations(filter: { outdated: true }) { nodes { id outdated outdatedSince changedSourceFields version } } }';
const outdated = async () => (await must(list, {})).translations.nodes;

test('a work list shows what a change of the source has outdated, until the source is as it was', async () => {
  const { id } = await garage.listing({ published: true, title: 'Good car' });
  const french = await translate(id);
  const german = await translate(id, { language: 'de' });
  await settle();
  expect(await outdated()).toEqual([]);
  await retitle(id, 'Very good car');
  await settle();
  const found = await outdated();
  expect(found.map((entry: { id: string }) => entry.id).sort()).toEqual([french, german].sort());
  for (const entry of found)
    expect(entry).toEqual({
      id: expect.any(String),
      outdated: true,
      outdatedSince: expect.any(String),
      changedSourceFields: ['title'],
      version: 1,
    });
  await retitle(id, 'Good car');
  await settle();
  expect(await outdated()).toEqual([]);
});

test('a translation of a translation follows the one it was made from', async () => {
  const { id } = await garage.listing({ published: true });
  const french = await translate(id);
  const german = await translate(french, { language: 'de' });
  const save =
    'mutation ($input: UpdateTranslationContentInput!) { updateTranslationContent(input: $input) { translation { version } } }';
  await must(save, { input: { id: french, expectedVersion: 1, fields: { title: 'Très bonne voiture' } } });
  expect((await outdated()).map((entry: { id: string }) => entry.id)).toEqual([german]);
  await must(save, { input: { id: french, expectedVersion: 2, fields: { title: fields.title } } });
  expect(await outdated()).toEqual([]);
});

test('a change of a source costs the same, however many translations it has', async () => {
  const ids = [];
  for (const languages of [['fr'], ['fr', 'de']]) {
    const { id } = await garage.listing({ published: true });
    for (const language of languages) await translate(id, { language });
    ids.push(id);
  }
  await settle();
  const costs = [];
  for (const id of ids) {
    await retitle(id, 'Another car');
    await app.stack.runJob('identity.relay');
    const commands = await commandsOf(() => app.stack.runJob('translation.outdated'));
    costs.push(commands.filter((command) => command.endsWith(' translations')));
  }
  expect(costs).toEqual([
    ['update translations', 'update translations'],
    ['update translations', 'update translations'],
  ]);
});

test('coverage says what is there and what is missing, each thing once', async () => {
  const dealers = await seed(app.stack).in(app.stack.demo);
  const coverage = /* GraphQL */ `{ translationCoverage(objectType: DEALER) {
    language { code } total live outdated missing byStatus { status count }
  } }`;
  const cell = async (code: string) => {
    const { translationCoverage } = await must(coverage, {});
    return translationCoverage.find(({ language }: any) => language.code === code);
  };
  await settle();
  const before = await cell('fr');
  const ofDealer = (id: string) => ({
    source: { type: 'DEALER', id },
    fields: { description: 'Depuis 1972.' },
  });
  const [first, second] = [await dealers.dealer(), await dealers.dealer()];
  await translate(first.id, { ...ofDealer(first.id), status: 'PUBLISHED' });
  await translate(second.id, ofDealer(second.id));
  await settle();
  const after = await cell('fr');
  expect(after).toMatchObject({ total: before.total + 2, live: before.live + 1, missing: before.missing });
  const count = (name: string) => after.byStatus.find(({ status }: any) => status === name).count;
  expect([count('PUBLISHED'), count('DRAFT')]).toEqual([1, 1]);
  const commands = await commandsOf(() => must(coverage, {}));
  expect(commands.filter((command) => command.includes('translation'))).toEqual([
    'aggregate translation_object_heads',
    'aggregate translations',
  ]);
});
