import { checkLanguageSettings } from './checkLanguageSettings.ts';
import { homeUrlOf } from './homeUrlOf.ts';
import type { LanguageEntry, LanguageSettingsRecord, UrlStrategy } from './model.ts';
import { namesOf } from './namesOf.ts';
import { type LanguagePlan, toLanguageEntries } from './toLanguageEntries.ts';

const en: LanguagePlan = { code: 'en' };

/** The violations in a configuration of English and these languages. */
function check(
  others: readonly LanguagePlan[],
  options: Partial<Pick<LanguageSettingsRecord, 'defaultCode' | 'baseUrl' | 'urlStrategy'>> = {},
): string[] {
  const settings = {
    defaultCode: 'en',
    baseUrl: 'https://example.com',
    urlStrategy: 'directory',
    ...options,
    languages: toLanguageEntries([en, ...others]),
  } as const;
  return checkLanguageSettings(settings).map(({ pointer, code }) => `${pointer} ${code}`);
}

test('a language plan with only a code is valid', () => {
  expect(check([{ code: 'pt-br', locale: 'pt_BR' }, { code: 'ar' }])).toEqual([]);
  expect(toLanguageEntries([{ code: 'he' }])[0]).toMatchObject({
    locale: 'he',
    bcp47: 'he',
    direction: 'rtl',
    active: true,
  });
});

const long = `fr-${'a'.repeat(8)}-${'b'.repeat(8)}-${'c'.repeat(8)}-dddddd`;
test.each<[string, Partial<LanguagePlan>, ...string[]]>([
  ['a code in upper case', { code: 'PT', bcp47: 'pt' }, 'code invalid'],
  ['a code of 36 characters', { code: long, bcp47: 'fr' }, 'code invalid'],
  ['an invalid tag', { bcp47: 'x-foo' }, 'locale invalid', 'bcp47 invalid'],
  ['a tag without a language', { bcp47: 'und-Latn' }, 'bcp47 invalid'],
  ['a blank name', { nativeName: ' ' }, 'names invalid'],
  ['an unknown fallback', { fallbacks: ['de'] }, 'fallbacks invalid'],
  ['a fallback to itself', { fallbacks: ['fr'] }, 'fallbacks fallback_cycle'],
  ['a home URL on another host', { homeUrl: 'https://evil.test/fr/' }, 'homeUrl invalid'],
  [
    'a home URL on a host that ends with the own host',
    { homeUrl: 'https://notexample.com/' },
    'homeUrl invalid',
  ],
  [
    'a home URL with the scheme javascript',
    { homeUrl: 'javascript:alert(1)//example.com/' },
    'homeUrl invalid',
  ],
  ['a home URL without a final slash', { homeUrl: 'https://example.com/fr' }, 'homeUrl invalid'],
  ['a domain with a path', { domain: 'example.fr/x' }, 'domain invalid'],
])('a language with %s is refused', (_, plan, ...problems) => {
  expect(check([{ code: 'fr', ...plan }])).toEqual(problems.map((problem) => `#/languages/1/${problem}`));
});

test('a second language with the same code, tag or alias is refused', () => {
  expect(check([{ code: 'en', locale: 'en_GB' }])).toEqual(['#/languages/1 duplicate']);
  const french = { code: 'french', locale: 'fr_FR', bcp47: 'fr' };
  expect(check([{ code: 'fr' }, french])).toEqual(['#/languages/2 duplicate']);
  expect(check([{ code: 'fr', aliases: ['EN'] }])).toEqual(['#/languages/1 duplicate']);
});

test('a cycle of fallbacks is refused', () => {
  const german = { code: 'de', fallbacks: ['en', 'fr'] };
  const problems = [1, 2].map((index) => `#/languages/${index}/fallbacks fallback_cycle`);
  expect(check([{ code: 'fr', fallbacks: ['de'] }, german])).toEqual(problems);
});

test('home URLs on the own host, its subdomains and the stated domains are accepted', () => {
  const homes = ['https://example.com/fr/', 'https://fr.example.com/', 'https://example.fr/'];
  for (const homeUrl of homes) expect(check([{ code: 'fr', homeUrl, domain: 'example.fr' }])).toEqual([]);
});

test('a missing or inactive default language is refused', () => {
  expect(check([], { defaultCode: 'fr' })).toEqual(['#/defaultCode invalid']);
  expect(check([{ code: 'fr', active: false }], { defaultCode: 'fr' })).toEqual(['#/defaultCode invalid']);
});

test('the domain strategy is refused for a language without a domain', () => {
  expect(check([{ code: 'fr', domain: 'example.fr' }], { urlStrategy: 'domain' })).toEqual([
    '#/languages/0/domain invalid',
  ]);
});

test('a base URL that is neither http nor https is refused', () => {
  expect(check([], { baseUrl: 'ftp://example.com' })).toEqual(['#/baseUrl invalid']);
});

test('200 languages are accepted and 201 are refused', () => {
  const codes = [...Array(200).keys()].map(
    (index) =>
      `q${String.fromCharCode(97 + (index % 20))}${String.fromCharCode(97 + Math.floor(index / 20))}`,
  );
  expect(check(codes.slice(0, 199).map((code) => ({ code })))).toEqual([]);
  expect(check(codes.map((code) => ({ code })))).toEqual(['#/languages invalid']);
});

describe('home addresses', () => {
  const [fr, standard] = toLanguageEntries([{ code: 'fr', domain: 'example.fr' }, en]) as [
    LanguageEntry,
    LanguageEntry,
  ];
  const rules = (urlStrategy: UrlStrategy, hideDefaultPrefix = true) => ({
    baseUrl: 'https://example.com/shop',
    urlStrategy,
    hideDefaultPrefix,
    defaultCode: 'en',
  });

  test.each<[UrlStrategy, string]>([
    ['directory', 'https://example.com/shop/fr/'],
    ['subdomain', 'https://fr.example.com/shop/'],
    ['domain', 'https://example.fr/shop/'],
    ['query', 'https://example.com/shop/?lang=fr'],
  ])('have the form of the strategy "%s"', (strategy, url) => {
    expect(homeUrlOf(fr, rules(strategy))).toBe(url);
    expect(homeUrlOf(standard, rules(strategy))).toBe('https://example.com/shop/');
  });

  test('the home address of the default language has a prefix unless it is hidden', () => {
    expect(homeUrlOf(standard, rules('directory', false))).toBe('https://example.com/shop/en/');
  });

  test('a stated home address replaces the computed one', () => {
    expect(homeUrlOf({ ...fr, homeUrl: 'https://example.com/france/' }, rules('query'))).toBe(
      'https://example.com/france/',
    );
  });
});

describe('names', () => {
  const names = (plan: LanguagePlan, reader = 'en') =>
    namesOf(toLanguageEntries([plan])[0] as LanguageEntry, reader);

  test('come from CLDR, in the language itself, in English and in the language of the reader', () => {
    expect(names({ code: 'de' }, 'fr')).toEqual({
      native: 'Deutsch',
      english: 'German',
      display: 'allemand',
    });
    expect(names({ code: 'fa-af', bcp47: 'fa-AF' }).english).toBe('Dari');
  });

  test('stated names replace names that CLDR does not have', () => {
    expect(names({ code: 'haz' }).native).toBe(names({ code: 'haz' }).english);
    expect(names({ code: 'haz', nativeName: 'هزاره گی' }).native).toBe('هزاره گی');
  });

  test('names of languages with private tags are those of the language without them', () => {
    expect(names({ code: 'formal', locale: 'de_DE_formal' }).english).toBe('German (Germany)');
  });

  test('names are English for readers whose language CLDR does not contain', () => {
    expect(names({ code: 'de' }, 'tlh').display).toBe('German');
  });
});
