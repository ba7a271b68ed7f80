import { type AlternatePage, toAlternates } from './toAlternates.ts';

const page = (bcp47: string, options: Partial<AlternatePage> = {}): AlternatePage => ({
  bcp47,
  href: `https://example.com/${bcp47}/`,
  isDefaultLanguage: false,
  isSource: false,
  ...options,
});

const values = (pages: AlternatePage[]): string[] => toAlternates(pages).map(({ hreflang }) => hreflang);

test('a page alone has no alternates', () => {
  expect(values([page('en')])).toEqual([]);
  expect(values([])).toEqual([]);
});

test('a language that is there once stands without its region, others with it', () => {
  expect(values([page('en-US'), page('fr-FR'), page('fr-CA')])).toEqual(['en', 'fr-FR', 'fr-CA']);
});

test('a script that the tag states stays', () => {
  expect(values([page('zh-Hant-TW'), page('en')])).toEqual(['zh-Hant', 'en']);
  expect(values([page('sr'), page('sr-Latn')])).toEqual(['sr', 'sr-Latn']);
});

test('private parts are dropped, and of two pages with one value the first stays', () => {
  expect(values([page('de-DE-x-formal'), page('de-DE'), page('en')])).toEqual(['de-DE', 'en']);
});

test('UN regions are no value for search engines', () => {
  expect(values([page('es-419'), page('en'), page('fr')])).toEqual(['en', 'fr']);
  expect(values([page('es-419'), page('en')])).toEqual([]);
});

test('x-default is the page in the default language, else the source', () => {
  const last = (pages: AlternatePage[]) => toAlternates(pages).at(-1);
  const source = page('fr', { isSource: true });
  expect(last([source, page('en', { isDefaultLanguage: true })])).toEqual({
    hreflang: 'x-default',
    href: 'https://example.com/en/',
    bcp47: null,
  });
  expect(last([source, page('de')])?.href).toBe(source.href);
});
