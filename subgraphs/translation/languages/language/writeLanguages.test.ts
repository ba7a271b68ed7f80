import type { Wire } from '../../../../test/support/operations.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import type { CreateLanguageInput } from '../../translation.generated.ts';
import { createLanguageSettings } from './createLanguageSettings.ts';

const { neighbour } = product();
const shop = perTest(() => neighbour());
const admin = perTest(() => shop.staff('installation_admin'));
beforeEach(async () => {
  await createLanguageSettings(shop.installation, {
    languages: [
      { code: 'en' },
      { code: 'de', locale: 'de_DE', bcp47: 'de' },
      { code: 'fr', fallbacks: ['de'] },
      { code: 'pt-br', locale: 'pt_BR', aliases: ['br'] },
      { code: 'nl', active: false },
    ],
  });
});
const language = `language { code locale bcp47 direction active homeUrl fallbacks names { native english } }
  languages { version items { code order homeUrl default } }`;
const create = (input: Wire<CreateLanguageInput>) => admin.createLanguage(input, language);
const update = (input: Parameters<typeof admin.updateLanguage>[0]) => admin.updateLanguage(input, language);
const codesOf = ({ languages }: { languages: { readonly items: readonly { readonly code: string }[] } }) =>
  languages.items.map(({ code }) => code);
const publicCodes = async () => codesOf({ languages: await shop.visitor.languages({}, 'items { code }') });
const at = (...pointers: string[]) => ({
  errors: expect.arrayContaining(pointers.map((pointer) => expect.objectContaining({ pointer }))),
});

test('a new language is last and inactive, and its tag, direction, names and address follow from its code', async () => {
  const created = await create({ code: 'he' });
  expect(created.language).toMatchObject({
    locale: 'he',
    bcp47: 'he',
    direction: 'RTL',
    active: false,
    homeUrl: `${shop.installation.baseUrl}/he/`,
    names: { native: 'עברית', english: 'Hebrew' },
  });
  expect(created.languages.items.at(-1)).toMatchObject({ code: 'he', order: 5 });
  expect(created.languages.version).toBe(2);
  expect(await publicCodes()).not.toContain('he');
});

test('a new language has the stated members, including a name that CLDR does not have', async () => {
  const stated = { code: 'de-formal', locale: 'de_DE_formal', active: true, fallbacks: ['de'] };
  const created = await create({ ...stated, nativeName: 'Deutsch (Sie)' });
  const names = { native: 'Deutsch (Sie)' };
  expect(created.language).toMatchObject({ ...stated, bcp47: 'de-DE-x-formal', names });
  expect(await publicCodes()).toContain('de-formal');
});

test.each([
  ['code', { code: 'fr' }],
  ['alias', { code: 'br' }],
  ['tag', { code: 'german', bcp47: 'de' }],
])('a new language with the %s of another one is refused', async (_, input) => {
  expect(await create(input)).toBeRefused(409, 'language_exists');
});

test('a new language with invalid members is refused, each with its pointer', async () => {
  const wrong = {
    code: 'IT',
    bcp47: 'it',
    nativeName: ' ',
    homeUrl: 'https://evil.example/it/',
    fallbacks: ['es'],
  };
  const pointers = ['#/code', '#/names', '#/homeUrl', '#/fallbacks'];
  expect(await create(wrong)).toBeRefused(422, 'validation_failed', at(...pointers));
});

test('a change of a language sets the stated members, and null restores a default', async () => {
  const stated = {
    code: 'fr',
    nativeName: 'Français de France',
    direction: 'RTL',
    fallbacks: ['en'],
  } as const;
  expect((await update(stated)).language).toMatchObject({
    names: { native: 'Français de France', english: 'French' },
    direction: 'RTL',
    fallbacks: ['en'],
  });
  const restored = { names: { native: 'français' }, direction: 'LTR', fallbacks: ['en'] };
  expect((await update({ code: 'fr', nativeName: null, direction: null })).language).toMatchObject(restored);
  const tagged = { locale: 'fr_CA', bcp47: 'fr-CA' };
  expect((await update({ code: 'fr', locale: 'fr_CA' })).language).toMatchObject(tagged);
});

test('a change that sets equal values keeps the version of the languages', async () => {
  expect((await update({ code: 'fr', fallbacks: ['de'] })).languages.version).toBe(1);
  expect((await admin.setLanguageActive({ code: 'fr', active: true }, language)).languages.version).toBe(1);
  expect((await admin.setDefaultLanguage({ code: 'en' }, language)).languages.version).toBe(1);
});

test('a cycle of fallbacks is refused', async () => {
  const errors = expect.arrayContaining([expect.objectContaining({ code: 'fallback_cycle' })]);
  expect(await update({ code: 'de', fallbacks: ['fr'] })).toBeRefused(422, undefined, { errors });
});

test('changing or deleting a language that is not configured is refused', async () => {
  const code = 'xx';
  expect(await update({ code })).toBeRefused(404, 'not_found');
  expect(await admin.setDefaultLanguage({ code })).toBeRefused(404, 'not_found');
  expect(await admin.deleteLanguage({ code })).toBeRefused(404, 'not_found');
});

test('the default language cannot be inactive, deactivated or deleted', async () => {
  expect(await admin.setDefaultLanguage({ code: 'nl' })).toBeRefused(409, 'language_inactive');
  const deactivated = await admin.setLanguageActive({ code: 'en', active: false });
  expect(deactivated).toBeRefused(409, 'language_is_default');
  expect(await admin.deleteLanguage({ code: 'en' })).toBeRefused(409, 'language_is_default');
});

test('a change of the default language changes the home addresses immediately', async () => {
  await admin.setDefaultLanguage({ code: 'de' });
  const { defaultCode, items } = await shop.visitor.languages({}, 'defaultCode items { code homeUrl }');
  const { baseUrl } = shop.installation;
  expect([defaultCode, ...items.slice(0, 2)]).toEqual([
    'de',
    { code: 'en', homeUrl: `${baseUrl}/en/` },
    { code: 'de', homeUrl: `${baseUrl}/` },
  ]);
});

test('a language that concurrently becomes the default and is deactivated stays active if it is the default', async () => {
  for (let round = 0; round < 5; round++) {
    await Promise.all([
      admin.setDefaultLanguage({ code: 'de' }),
      admin.setLanguageActive({ code: 'de', active: false }),
    ]);
    const { items } = await admin.languages({ scope: 'ALL' }, 'items { active default }');
    expect(items.filter((item) => item.default)).toEqual([{ active: true, default: true }]);
    await admin.setDefaultLanguage({ code: 'en' });
    await admin.setLanguageActive({ code: 'de', active: true });
  }
});

test('an order that does not contain each language once is refused', async () => {
  const codes = ['nl', 'pt-br', 'fr', 'de', 'en'];
  expect(codesOf(await admin.reorderLanguages({ codes }))).toEqual(codes);
  for (const wrong of [codes.slice(1), [...codes.slice(1), 'de'], [...codes, 'it']])
    expect(await admin.reorderLanguages({ codes: wrong })).toBeRefused(422);
});

test('a change of the base URL and strategy changes the home addresses of languages', async () => {
  const baseUrl = 'https://cars.example';
  const input = { baseUrl, urlStrategy: 'SUBDOMAIN', hideDefaultPrefix: true } as const;
  const { languages } = await admin.updateLanguageAddresses(input, 'languages { items { homeUrl } }');
  const homes = [languages.items[0]?.homeUrl, languages.items[2]?.homeUrl];
  expect(homes).toEqual([`${baseUrl}/`, 'https://fr.cars.example/']);
});

test('the strategy DOMAIN is refused until each language has a domain', async () => {
  const urlStrategy = 'DOMAIN';
  expect(await admin.updateLanguageAddresses({ urlStrategy })).toBeRefused(422);
  for (const code of ['en', 'de', 'fr', 'pt-br', 'nl']) await update({ code, domain: `${code}.example` });
  const addresses = { urlStrategy, hideDefaultPrefix: false } as const;
  const { languages } = await admin.updateLanguageAddresses(addresses, 'languages { items { homeUrl } }');
  expect(languages.items[2]?.homeUrl).toBe('http://fr.example/');
  expect(await admin.languageAddresses({}, 'urlStrategy hideDefaultPrefix')).toEqual(addresses);
});

test.each(['https://me:secret@cars.example', 'https://cars.example/?x=1', 'https://cars.example/#top'])(
  'the base URL %s is refused',
  async (baseUrl) => {
    const refused = await admin.updateLanguageAddresses({ baseUrl });
    expect(refused).toBeRefused(422, undefined, at('#/baseUrl'));
  },
);

test('a language can be deleted unless it is a fallback of another one', async () => {
  expect(codesOf(await admin.deleteLanguage({ code: 'nl' }))).not.toContain('nl');
  const used = { fallbackOf: ['fr'] };
  expect(await admin.deleteLanguage({ code: 'de' })).toBeRefused(409, 'language_in_use', used);
});

test('a language with texts can be deleted only with `unlinkRelations`, and its texts are kept', async () => {
  const editor = await shop.staff('editor');
  const source = {
    type: 'LISTING',
    id: (await (await shop.dealer()).listing({ published: true })).id,
  } as const;
  const { translation } = await editor.createTranslation({ source, language: 'nl' }, 'translation { id }');
  const counts = { records: 1, linked: 1 };
  expect(await admin.deleteLanguage({ code: 'nl' })).toBeRefused(409, 'language_in_use', { counts });
  expect(codesOf(await admin.deleteLanguage({ code: 'nl', unlinkRelations: true }))).not.toContain('nl');
  const left = { groupId: null, languageCode: 'nl', status: 'DRAFT', language: null };
  const select = 'groupId languageCode status language { code }';
  expect(await editor.translation({ id: translation.id as string }, select)).toEqual(left);
});

test('a stale version of the languages is refused before a conflict is reported', async () => {
  await admin.setLanguageActive({ code: 'nl', active: true });
  expect(await create({ code: 'nl', expectedVersion: 1 })).toBeRefused(412, 'precondition_failed');
});

test('languages that are added concurrently are all created', async () => {
  const codes = ['it', 'es', 'pl', 'cs'];
  await Promise.all(codes.map((code) => create({ code })));
  const languages = await admin.languages({ scope: 'ALL' }, 'version items { code }');
  expect(codesOf({ languages })).toEqual(expect.arrayContaining(codes));
  expect(languages.version).toBe(5);
});

test('the first language that is added to an unconfigured installation follows its locales', async () => {
  const { staff } = await neighbour();
  const created = await (await staff('installation_admin')).createLanguage(
    { code: 'fr', active: true },
    language,
  );
  expect([created.languages.version, codesOf(created)]).toEqual([1, ['en', 'de', 'fr']]);
});

test('a change of a language costs one read and one write', async () => {
  await publicCodes();
  const commands = await commandsOf(() => admin.setLanguageActive({ code: 'nl', active: true }));
  expect(commands.filter((command) => command.includes('language_settings'))).toEqual([
    'find language_settings',
    'findAndModify language_settings',
  ]);
});
