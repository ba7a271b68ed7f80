import { commandsOf } from '../../../test/support/commandsOf.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { createLanguageSettings } from './createLanguageSettings.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stack.close());

const list = /* GraphQL */ `query ($scope: LanguageScope! = ACTIVE, $display: LanguageTag, $accept: String) {
  languages(scope: $scope, display: $display, acceptLanguage: $accept) {
    items { code locale bcp47 names { native english display } direction active default order homeUrl }
    total scope defaultCode version
  }
}`;
const stranger = { as: null };
const codesOf = (data: Record<string, any>): string[] =>
  data.languages.items.map(({ code }: { code: string }) => code);

test('anybody reads the active languages in their order, with exactly the public members', async () => {
  const { languages } = await shop.ask(list, { display: 'fr' }, stranger);
  expect(codesOf({ languages })).toEqual(['en', 'de', 'fr', 'pt-br', 'ar']);
  expect(languages.items[3]).toEqual({
    code: 'pt-br',
    locale: 'pt_BR',
    bcp47: 'pt-BR',
    names: {
      native: 'português (Brasil)',
      english: 'Brazilian Portuguese',
      display: expect.stringMatching(/^portugais.*brés/i),
    },
    direction: 'LTR',
    active: true,
    default: false,
    order: 3,
    homeUrl: 'http://demo.localhost/pt-br/',
  });
  expect(languages).toMatchObject({ total: 5, scope: 'ACTIVE', defaultCode: 'en', version: 1 });
  expect(languages.items[4]).toMatchObject({ code: 'ar', direction: 'RTL' });
});

test('names are shown in the language that the reader negotiates, else in the default one', async () => {
  const display = async (accept: string | null): Promise<string> =>
    (await shop.ask(list, { accept }, stranger)).languages.items[1].names.display;
  expect(await display('de-AT, en;q=0.5')).toBe('Deutsch');
  expect(await display('sw')).toBe('German');
  expect(await display(null)).toBe('German');
});

describe('all configured languages', () => {
  const all = { scope: 'ALL' };

  test.each(['editor', 'translator', 'admin'] as const)('are read by the %s', async (name) => {
    expect(codesOf(await shop.ask(list, all, { as: shop.people[name] }))).toContain('nl');
  });

  test.each(['dealer', 'buyer'] as const)(
    'are refused to the %s, whose reach is not the installation',
    async (name) => {
      const problem = await shop.refuse(list, all, { as: shop.people[name] });
      expect(problem).toMatchObject({ code: 'permission_required', requiredPermission: 'translations:read' });
    },
  );

  test('need an identity', async () => {
    expect((await shop.refuse(list, all, stranger)).code).toBe('token_missing');
  });

  test('are refused to a suspended editor', async () => {
    const suspended = await shop.stack.signIn({ roles: ['editor'], state: 'suspended' });
    expect((await shop.refuse(list, all, { as: suspended })).code).toBe('account_suspended');
  });
});

test('a rejected token is refused on the public list too', async () => {
  expect((await shop.refuse(list, {}, { as: 'not.a.token' })).code).toMatch(/^token_/);
});

test('a token of another installation is refused', async () => {
  const foreign = { as: shop.people.editor, installation: shop.stack.other };
  expect((await shop.refuse(list, {}, foreign)).code).toBe('installation_mismatch');
});

describe('one language', () => {
  const one = 'query ($code: String!) { language(code: $code) { code } }';

  test.each(['fr', 'FR', 'pt_BR', 'BR', 'PT-br'])('is found by %s', async (code) => {
    expect((await shop.ask(one, { code }, stranger)).language).not.toBeNull();
  });

  test('that is not active is known to nobody but those who read all', async () => {
    expect((await shop.ask(one, { code: 'nl' }, stranger)).language).toBeNull();
    expect((await shop.ask(one, { code: 'nl' }, { as: shop.people.dealer })).language).toBeNull();
    expect((await shop.ask(one, { code: 'nl' })).language).toEqual({ code: 'nl' });
  });

  test('is a reference for other subgraphs', async () => {
    const entities = /* GraphQL */ `query ($codes: [_Any!]!) { _entities(representations: $codes) { ... on Language { code } } }`;
    const codes = ['fr', 'nl', 'xx'].map((code) => ({ __typename: 'Language', code }));
    expect((await shop.ask(entities, { codes }, stranger))._entities).toEqual([{ code: 'fr' }, null, null]);
  });

  test('shows its fallbacks to those who read translations, not to readers', async () => {
    const chain = 'query { language(code: "fr") { fallbacks resolutionChain } }';
    const seen = { fallbacks: ['de'], resolutionChain: ['fr', 'de', 'en'] };
    expect((await shop.ask(chain, {}, { as: shop.people.dealer })).language).toEqual(seen);
    expect((await shop.refuse(chain, {}, stranger)).code).toBe('token_missing');
    expect((await shop.refuse(chain, {}, { as: shop.people.buyer })).code).toBe('permission_required');
  });
});

test('a reader gets the active language that fits best', async () => {
  const negotiate = async (acceptLanguage: string): Promise<string> => {
    const source = 'query ($header: String!) { negotiateLanguage(acceptLanguage: $header) { code } }';
    return (await shop.ask(source, { header: acceptLanguage }, stranger)).negotiateLanguage.code;
  };
  expect(await negotiate('pt')).toBe('pt-br');
  expect(await negotiate('sw, fr-CA;q=0.3')).toBe('fr');
  expect(await negotiate('nl')).toBe('en');
  expect(await negotiate(`${'x'.repeat(100_000)},fr`)).toBe('en');
});

test('an installation that has configured nothing has the languages of its people', async () => {
  const { languages, defaultLanguage } = await shop.ask(
    '{ languages { items { code homeUrl } version } defaultLanguage { code } }',
    {},
    { as: null, installation: shop.stack.other },
  );
  expect(languages.version).toBe(0);
  expect(languages.items).toEqual([
    { code: 'en', homeUrl: 'http://other.localhost/' },
    { code: 'de', homeUrl: 'http://other.localhost/de/' },
  ]);
  expect(defaultLanguage.code).toBe('en');
});

test('a configuration that breaks a rule is not stored', async () => {
  const broken = createLanguageSettings(shop.stack.other, { languages: [{ code: 'fr', fallbacks: ['xx'] }] });
  await expect(broken).rejects.toMatchObject({
    code: 'validation_failed',
    details: { errors: [{ pointer: '#/languages/0/fallbacks' }] },
  });
  expect(
    (await shop.ask('{ languages { version } }', {}, { as: null, installation: shop.stack.other })).languages
      .version,
  ).toBe(0);
});

test('a fresh configuration costs no database command, an old one a single one', async () => {
  await shop.ask(list, {}, stranger);
  expect(await commandsOf(() => shop.ask(list, {}, stranger))).toEqual([]);
  shop.stack.advance(6000);
  expect(await commandsOf(() => shop.ask(list, {}, stranger))).toEqual(['find language_settings']);
});
