import { toCanonicalTag, toTagOfLocale } from '../../../platform/language/toCanonicalTag.ts';
import { createLanguageIndex } from './ConfiguredLanguage.ts';
import { nameContentLanguage, nameLanguage } from './nameLanguage.ts';

const plain = { aliases: [], active: true, fallbacks: [] };
const index = createLanguageIndex(
  [
    { ...plain, code: 'en', locale: 'en_US', bcp47: 'en-US' },
    { ...plain, code: 'br', locale: 'pt_BR', bcp47: 'pt-BR', aliases: ['pt-old'] },
    { ...plain, code: 'he', locale: 'he_IL', bcp47: 'he' },
    { ...plain, code: 'formal', locale: 'de_DE_formal', bcp47: 'de-DE-x-formal' },
  ],
  'en',
);

test.each([
  ['EN', 'en'],
  ['en_us', 'en'],
  ['PT-br', 'br'],
  ['pt_BR', 'br'],
  ['pt-OLD', 'br'],
  ['iw', 'he'],
  ['de_DE_formal', 'formal'],
  ['br', 'br'],
])('the text %s is resolved to the language %s', (text, code) => {
  expect(nameLanguage(index, text)?.code).toBe(code);
});

test.each([
  ['the tag of a language without its region', 'pt'],
  ['the tag of another language', 'fr'],
  ['a private tag', 'x-foo'],
  ['an empty text', ''],
  ['a wildcard', '*'],
  ['a range with a weight', 'en;q=1'],
  ['the name of an inherited object member', '__proto__'],
  ['a text of 100,000 characters', 'a'.repeat(100_000)],
])('%s is resolved to no language', (_, text) => {
  expect(nameLanguage(index, text)).toBeNull();
});

test('a code has precedence over an equal tag', () => {
  // "br" is Breton as a tag; the installation has given the name to Brazilian Portuguese.
  expect(nameLanguage(index, 'br')?.bcp47).toBe('pt-BR');
});

test('content with a regional tag belongs to the configured region of its language, or to no language', () => {
  expect(nameContentLanguage(index, 'en-GB')?.code).toBe('en');
  expect(nameContentLanguage(index, 'pt-PT')?.code).toBe('br');
  expect(nameContentLanguage(index, 'es')).toBeNull();
});

test.each([
  ['pt_BR', 'pt-BR'],
  ['de_DE_formal', 'de-DE-x-formal'],
  ['pt_PT_ao90', 'pt-PT-x-ao90'],
  ['ca_ES_valencia', 'ca-ES-valencia'],
  ['zh_Hant_TW', 'zh-Hant-TW'],
  ['iw', 'he'],
  ['sr_RS@latin', null],
])('the tag of the locale %s is %s', (locale, tag) => {
  expect(toTagOfLocale(locale)).toBe(tag);
});

test.each([
  ['PT-br', 'pt-BR'],
  ['iw', 'he'],
  ['in', 'id'],
  ['mo', 'ro'],
  ['sh', 'sr-Latn'],
  ['pt_BR', 'pt-BR'],
])('the canonical form of the tag %s is %s', (tag, canonical) => {
  expect(toCanonicalTag(tag)).toBe(canonical);
});

test('a tag of more than 100 characters is invalid', () => {
  const longest = `en-x${'-abcdefg'.repeat(12)}`;
  expect(longest).toHaveLength(100);
  expect(toCanonicalTag(longest)).toBe(longest);
  expect(toCanonicalTag(`${longest}h`)).toBeNull();
});
