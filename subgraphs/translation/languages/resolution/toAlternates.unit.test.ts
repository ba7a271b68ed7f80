import { type AlternatePage, toAlternates } from './toAlternates.ts';

const page = (bcp47: string, options: Partial<AlternatePage> = {}): AlternatePage => ({
  bcp47,
  href: `https://example.com/${bcp47}/`,
  isDefaultLanguage: false,
  isSource: false,
  ...options,
});

const values = (pages: AlternatePage[]): string[] => toAlternates(pages).map(({ hreflang }) => hreflang);

test('a single page has no alternates', () => {
  expect(values([page('en')])).toEqual([]);
  expect(values([])).toEqual([]);
});

test('a language of one page has no region in its alternate, and a language of several pages does', () => {
  expect(values([page('en-US'), page('fr-FR'), page('fr-CA')])).toEqual(['en', 'fr-FR', 'fr-CA']);
});

test('an alternate keeps the script of its tag', () => {
  expect(values([page('zh-Hant-TW'), page('en')])).toEqual(['zh-Hant', 'en']);
  expect(values([page('sr'), page('sr-Latn')])).toEqual(['sr', 'sr-Latn']);
});

test('private parts are removed, and the first of two pages with the same value is kept', () => {
  expect(values([page('de-DE-x-formal'), page('de-DE'), page('en')])).toEqual(['de-DE', 'en']);
});

test('a page with a UN region has no alternate', () => {
  expect(values([page('es-419'), page('en'), page('fr')])).toEqual(['en', 'fr']);
  expect(values([page('es-419'), page('en')])).toEqual([]);
});

test('x-default is the page in the default language, or else the source', () => {
  const last = (pages: AlternatePage[]) => toAlternates(pages).at(-1);
  const source = page('fr', { isSource: true });
  expect(last([source, page('en', { isDefaultLanguage: true })])).toEqual({
    hreflang: 'x-default',
    href: 'https://example.com/en/',
    bcp47: null,
  });
  expect(last([source, page('de')])?.href).toBe(source.href);
});
