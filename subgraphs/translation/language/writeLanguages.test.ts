import { commandsOf } from '../../../test/support/commandsOf.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.stack.close());

const admin = () => ({ as: shop.people.admin });
const items = 'version items { code locale bcp47 direction active default order homeUrl fallbacks }';

function mutation(field: string, language: boolean): string {
  const type = `${field[0]?.toUpperCase()}${field.slice(1)}Input`;
  const selection = `${language ? 'language { code locale bcp47 direction active default homeUrl fallbacks names { native english display } }' : ''} languages { ${items} }`;
  return `mutation ($input: ${type}!) { ${field}(input: $input) { ${selection} } }`;
}
const many = ['reorderLanguages', 'updateLanguageAddresses', 'deleteLanguage'];
const write = async (field: string, input: object) =>
  (await shop.ask(mutation(field, !many.includes(field)), { input }, admin()))[field];
const refuse = (field: string, input: object) =>
  shop.refuse(mutation(field, !many.includes(field)), { input }, admin());
const codesOf = ({ languages }: any): string[] => languages.items.map(({ code }: { code: string }) => code);
const readers = async (): Promise<string[]> =>
  codesOf(await shop.ask('{ languages { items { code } } }', {}, { as: null }));

describe('a new language', () => {
  test('stands behind the others, with tag, direction, names and address of its code', async () => {
    const created = await write('createLanguage', { code: 'he' });
    expect(created.language).toMatchObject({
      locale: 'he',
      bcp47: 'he',
      direction: 'RTL',
      active: false,
      homeUrl: 'http://demo.localhost/he/',
      names: { native: 'עברית', english: 'Hebrew' },
    });
    expect(created.languages.items.at(-1)).toMatchObject({ code: 'he', order: 6 });
    expect(created.languages.version).toBe(2);
    expect(await readers()).not.toContain('he');
  });

  test('takes what is said of it, where CLDR knows no name too', async () => {
    const input = {
      code: 'de-formal',
      locale: 'de_DE_formal',
      nativeName: 'Deutsch (Sie)',
      active: true,
      fallbacks: ['de'],
    };
    const { language } = await write('createLanguage', input);
    expect(language).toMatchObject({ bcp47: 'de-DE-x-formal', active: true, fallbacks: ['de'] });
    expect(language.names.native).toBe('Deutsch (Sie)');
    expect(await readers()).toContain('de-formal');
  });

  test.each([
    ['a code that is taken', { code: 'fr' }],
    ['an alias that is taken', { code: 'br' }],
    ['a tag that is taken', { code: 'german', bcp47: 'de' }],
  ])('with %s is a conflict', async (_, input) => {
    expect(await refuse('createLanguage', input)).toMatchObject({ status: 409, code: 'language_exists' });
  });

  test.each([
    ['a code in upper case', { code: 'IT' }, '#/code'],
    ['a tag that is none', { code: 'it', locale: 'x' }, '#/locale'],
    ['a blank name', { code: 'it', nativeName: ' ' }, '#/names'],
    ['a home page elsewhere', { code: 'it', homeUrl: 'https://evil.example/it/' }, '#/homeUrl'],
    ['a fallback that is not configured', { code: 'it', fallbacks: ['es'] }, '#/fallbacks'],
    ['a fallback to itself', { code: 'it', fallbacks: ['it'] }, '#/fallbacks'],
  ])('with %s is refused at its place', async (_, input, pointer) => {
    const problem = await refuse('createLanguage', input);
    expect(problem).toMatchObject({ status: 422, code: 'validation_failed' });
    expect((problem.errors as { pointer: string }[]).map((error) => error.pointer)).toContain(pointer);
  });

  test('beyond two hundred is refused', async () => {
    const letters = [...'abcdefghijklmnop'];
    const codes = letters.flatMap((a) => letters.map((b) => `q${a}${b}`)).slice(0, 194);
    const stored = await import('./model.ts');
    const { scoped } = await import('../../platform/installation/scoped.ts');
    const { toLanguageEntries } = await import('./toLanguageEntries.ts');
    const settings = scoped(stored.LanguageSettingsModel, shop.stack.demo.id);
    await settings.findOneAndUpdate(
      { _id: shop.stack.demo.id },
      { $push: { languages: { $each: toLanguageEntries(codes.map((code) => ({ code }))) } } },
    );
    expect(await refuse('createLanguage', { code: 'it' })).toMatchObject({ status: 422 });
  });
});

describe('a change of a language', () => {
  test('touches what is given; null takes an override back', async () => {
    const changed = { code: 'fr', nativeName: 'Français de France', direction: 'RTL', fallbacks: ['en'] };
    expect((await write('updateLanguage', changed)).language).toMatchObject({
      names: { native: 'Français de France', english: 'French' },
      direction: 'RTL',
      fallbacks: ['en'],
    });
    const back = { code: 'fr', nativeName: null, direction: null };
    expect((await write('updateLanguage', back)).language).toMatchObject({
      names: { native: 'français' },
      direction: 'LTR',
      fallbacks: ['en'],
    });
  });

  test('that changes nothing leaves the version', async () => {
    expect((await write('updateLanguage', { code: 'fr', fallbacks: ['de'] })).languages.version).toBe(1);
    expect((await write('setLanguageActive', { code: 'fr', active: true })).languages.version).toBe(1);
    expect((await write('setDefaultLanguage', { code: 'en' })).languages.version).toBe(1);
  });

  test('of the locale makes a new tag', async () => {
    expect((await write('updateLanguage', { code: 'fr', locale: 'fr_CA' })).language).toMatchObject({
      locale: 'fr_CA',
      bcp47: 'fr-CA',
    });
  });

  test('into a circle of fallbacks is refused', async () => {
    expect(await refuse('updateLanguage', { code: 'de', fallbacks: ['fr'] })).toMatchObject({
      status: 422,
      errors: expect.arrayContaining([expect.objectContaining({ code: 'fallback_cycle' })]),
    });
  });

  test.each(['updateLanguage', 'setDefaultLanguage', 'deleteLanguage'])(
    'of a language that is not there is 404: %s',
    async (field) => {
      expect(await refuse(field, { code: 'xx' })).toMatchObject({ status: 404, code: 'not_found' });
    },
  );
});

describe('the default language', () => {
  test('is always an active one', async () => {
    expect(await refuse('setDefaultLanguage', { code: 'nl' })).toMatchObject({ code: 'language_inactive' });
    expect(await refuse('setLanguageActive', { code: 'en', active: false })).toMatchObject({
      status: 409,
      code: 'language_is_default',
    });
    expect(await refuse('deleteLanguage', { code: 'en' })).toMatchObject({ code: 'language_is_default' });
  });

  test('moves the home addresses when it changes, at once for readers', async () => {
    await write('setDefaultLanguage', { code: 'de' });
    const { languages } = await shop.ask(
      '{ languages { defaultCode items { code homeUrl } } }',
      {},
      { as: null },
    );
    expect(languages.defaultCode).toBe('de');
    expect(languages.items.slice(0, 2)).toEqual([
      { code: 'en', homeUrl: 'http://demo.localhost/en/' },
      { code: 'de', homeUrl: 'http://demo.localhost/' },
    ]);
  });

  test('stays active when one request makes it the default and another one deactivates it', async () => {
    for (let round = 0; round < 5; round++) {
      await Promise.allSettled([
        write('setDefaultLanguage', { code: 'de' }),
        write('setLanguageActive', { code: 'de', active: false }),
      ]);
      const { languages } = await shop.ask(`{ languages(scope: ALL) { ${items} } }`, {}, admin());
      const defaults = languages.items.filter((item: { default: boolean }) => item.default);
      expect(defaults).toMatchObject([{ active: true }]);
      await write('setDefaultLanguage', { code: 'en' });
      await write('setLanguageActive', { code: 'de', active: true });
    }
  });
});

test('an order names every language once', async () => {
  const order = ['nl', 'ar', 'pt-br', 'fr', 'de', 'en'];
  expect(codesOf(await write('reorderLanguages', { codes: order }))).toEqual(order);
  for (const codes of [order.slice(1), [...order.slice(1), 'ar'], [...order, 'it']])
    expect(await refuse('reorderLanguages', { codes })).toMatchObject({ status: 422 });
});

test.each([
  ['DIRECTORY', 'https://cars.example/fr/'],
  ['SUBDOMAIN', 'https://fr.cars.example/'],
  ['QUERY', 'https://cars.example/?lang=fr'],
])('pages live where the strategy says: %s', async (urlStrategy, homeUrl) => {
  const input = { baseUrl: 'https://cars.example', urlStrategy, hideDefaultPrefix: true };
  const { languages } = await write('updateLanguageAddresses', input);
  expect(languages.items[2]).toMatchObject({ code: 'fr', homeUrl });
  expect(languages.items[0].homeUrl).toBe('https://cars.example/');
});

test('with a domain each, every language must have stated its own', async () => {
  expect(await refuse('updateLanguageAddresses', { urlStrategy: 'DOMAIN' })).toMatchObject({ status: 422 });
  for (const code of ['en', 'de', 'fr', 'pt-br', 'ar', 'nl'])
    await write('updateLanguage', { code, domain: `${code}.example` });
  const { languages } = await write('updateLanguageAddresses', {
    urlStrategy: 'DOMAIN',
    hideDefaultPrefix: false,
  });
  expect(languages.items[2].homeUrl).toBe('http://fr.example/');
  const addresses = '{ languageAddresses { version baseUrl urlStrategy hideDefaultPrefix } }';
  expect((await shop.ask(addresses, {}, admin())).languageAddresses).toMatchObject({
    urlStrategy: 'DOMAIN',
    hideDefaultPrefix: false,
  });
});

test.each(['https://me:secret@cars.example', 'https://cars.example/?x=1', 'https://cars.example/#top'])(
  'a base address is plain: %s',
  async (baseUrl) => {
    expect(await refuse('updateLanguageAddresses', { baseUrl })).toMatchObject({
      status: 422,
      errors: [{ pointer: '#/baseUrl' }],
    });
  },
);

describe('a language goes', () => {
  const create = /* GraphQL */ `mutation ($input: CreateTranslationInput!) {
    createTranslation(input: $input) { translation { id groupId } }
  }`;
  const translate = async (language: string): Promise<string> => {
    const source = { type: 'LISTING', id: shop.listing() };
    const { createTranslation } = await shop.ask(create, { input: { source, language } });
    return createTranslation.translation.id;
  };

  test('when nothing is in it and nobody falls back to it', async () => {
    expect(codesOf(await write('deleteLanguage', { code: 'nl' }))).not.toContain('nl');
    expect(await refuse('deleteLanguage', { code: 'de' })).toMatchObject({
      status: 409,
      code: 'language_in_use',
      fallbackOf: ['fr'],
    });
  });

  test('with texts in it only when they may leave their groups, and they are kept', async () => {
    const id = await translate('ar');
    expect(await refuse('deleteLanguage', { code: 'ar' })).toMatchObject({
      code: 'language_in_use',
      counts: { records: 1, linked: 1 },
    });
    expect(codesOf(await write('deleteLanguage', { code: 'ar', unlinkRelations: true }))).not.toContain('ar');
    const { translation } = await shop.ask(
      'query ($id: ID!) { translation(id: $id) { groupId languageCode status language { code } } }',
      { id },
    );
    expect(translation).toEqual({ groupId: null, languageCode: 'ar', status: 'DRAFT', language: null });
  });
});

describe('changes by several people', () => {
  test('of another version than the one that was read are refused', async () => {
    await write('setLanguageActive', { code: 'nl', active: true });
    const stale = { code: 'nl', active: false, expectedVersion: 1 };
    expect(await refuse('setLanguageActive', stale)).toMatchObject({ status: 412 });
    // Also where something else is in its way by now.
    expect(await refuse('createLanguage', { code: 'nl', expectedVersion: 1 })).toMatchObject({ status: 412 });
    await write('setLanguageActive', { ...stale, expectedVersion: 2 });
  });

  test('at the same moment are all made, one after the other', async () => {
    const codes = ['it', 'es', 'pl', 'cs'];
    await Promise.all(codes.map((code) => write('createLanguage', { code })));
    const { languages } = await shop.ask(`{ languages(scope: ALL) { ${items} } }`, {}, admin());
    expect(codesOf({ languages })).toEqual(expect.arrayContaining(codes));
    expect(languages.version).toBe(5);
  });
});

test('an installation that had configured nothing begins with the languages of its people', async () => {
  const { stack } = shop;
  const elsewhere = await stack.signIn({ roles: ['installation_admin'], installation: stack.other });
  const input = { code: 'fr', active: true };
  const options = { as: elsewhere, installation: stack.other };
  const { createLanguage } = await shop.ask(mutation('createLanguage', true), { input }, options);
  expect(createLanguage.languages).toMatchObject({ version: 1 });
  expect(codesOf(createLanguage)).toEqual(['en', 'de', 'fr']);
  expect(await readers()).toContain('pt-br');
});

test.each(['editor', 'translator', 'dealer', 'buyer'] as const)(
  'the %s manages no languages',
  async (name) => {
    const call = { as: shop.people[name] };
    const input = { code: 'it' };
    expect(await shop.refuse(mutation('createLanguage', true), { input }, call)).toMatchObject({
      status: 403,
      code: 'permission_required',
    });
  },
);

test('a change costs one read and one write', async () => {
  await readers();
  const commands = await commandsOf(() => write('setLanguageActive', { code: 'nl', active: true }));
  expect(commands.filter((command) => command.includes('language_settings'))).toEqual([
    'find language_settings',
    'findAndModify language_settings',
  ]);
});
