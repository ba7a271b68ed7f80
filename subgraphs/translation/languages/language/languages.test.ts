import type { Wire } from '../../../../test/support/operations.ts';
import { product } from '../../../../test/support/product.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { openDesk } from '../../fixture/openDesk.ts';
import type { LanguageScope } from '../../translation.generated.ts';
import { createLanguageSettings } from './createLanguageSettings.ts';

const world = product();
const { market } = world;
const { people } = openDesk(world);
const read = async (scope: Wire<LanguageScope>, as: { languages: typeof people.editor.languages }) => {
  const { items } = await as.languages({ scope }, 'items { code }');
  return items.map(({ code }) => code);
};
const home = (path = '') => `${market.installation.baseUrl}/${path}`;

test('the active languages are public, in their order', async () => {
  const select = `items { code locale bcp47 names { native english display } direction active default order homeUrl }
    total scope defaultCode version`;
  const { items, ...list } = await market.visitor.languages({ display: 'fr' }, select);
  expect(items.map(({ code }) => code)).toEqual(['en', 'de', 'fr', 'pt-br', 'ar']);
  expect(items[3]).toEqual({
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
    homeUrl: home('pt-br/'),
  });
  expect(list).toEqual({ total: 5, scope: 'ACTIVE', defaultCode: 'en', version: 1 });
  expect(items[4]).toMatchObject({ code: 'ar', direction: 'RTL' });
});

test.each([
  ['de-AT, en;q=0.5', 'Deutsch'],
  ['sw', 'German'],
  [null, 'German'],
])('names are shown in the language negotiated from %s', async (acceptLanguage, name) => {
  const { items } = await market.visitor.languages({ acceptLanguage }, 'items { names { display } }');
  expect(items[1]?.names.display).toBe(name);
});

test('inactive languages are visible to staff only', async () => {
  for (const as of [people.editor, people.translator, people.admin])
    expect(await read('ALL', as)).toContain('nl');
  for (const as of [market.visitor, people.dealer])
    expect(await as.language({ code: 'nl' }, 'code')).toBeNull();
  expect(await people.editor.language({ code: 'nl' }, 'code')).toEqual({ code: 'nl' });
});

test('a dealer reads the fallbacks and the resolution chain of a language', async () => {
  const chain = await people.dealer.language({ code: 'fr' }, 'fallbacks resolutionChain');
  expect(chain).toEqual({ fallbacks: ['de'], resolutionChain: ['fr', 'de', 'en'] });
});

test.each([
  ['a language without its region', 'pt', 'pt-br'],
  ['a configured language with another region', 'sw, fr-CA;q=0.3', 'fr'],
  ['an inactive language', 'nl', 'en'],
  ['a header of 100 kB', `${'x'.repeat(100_000)},fr`, 'en'],
])('the best active language is negotiated for %s', async (_, acceptLanguage, code) => {
  expect(await market.visitor.negotiateLanguage({ acceptLanguage }, 'code')).toEqual({ code });
});

test('an installation without valid language settings has its locales as languages', async () => {
  const { installation, visitor } = await world.neighbour();
  const broken = createLanguageSettings(installation, { languages: [{ code: 'fr', fallbacks: ['xx'] }] });
  const details = { errors: [{ pointer: '#/languages/0/fallbacks' }] };
  await expect(broken).rejects.toMatchObject({ code: 'validation_failed', details });
  expect(await visitor.languages({}, 'items { code homeUrl } version')).toEqual({
    version: 0,
    items: [
      { code: 'en', homeUrl: `${installation.baseUrl}/` },
      { code: 'de', homeUrl: `${installation.baseUrl}/de/` },
    ],
  });
  expect(await visitor.defaultLanguage({}, 'code')).toEqual({ code: 'en' });
});

test('cached language settings cost no database command, and expired ones cost one', async () => {
  const list = () => market.visitor.languages({}, 'items { code }');
  world.stack.advance(6000);
  await list();
  expect(await commandsOf(list)).toEqual([]);
  world.stack.advance(6000);
  expect(await commandsOf(list)).toEqual(['find language_settings']);
});
