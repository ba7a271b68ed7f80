import { buildChain, type FallbackMode } from './buildChain.ts';
import { type ConfiguredLanguage, createLanguageIndex } from './ConfiguredLanguage.ts';
import { pickMember } from './pickMember.ts';

const language = (bcp47: string, options: Partial<ConfiguredLanguage> = {}): ConfiguredLanguage => ({
  code: bcp47.toLowerCase(),
  locale: bcp47.replaceAll('-', '_'),
  bcp47,
  aliases: [],
  active: true,
  fallbacks: [],
  ...options,
});

/** The chain for the wanted languages. The first configured language is the default. */
const chain = (wanted: string[], languages: ConfiguredLanguage[], mode: FallbackMode = 'chain'): string[] =>
  buildChain(createLanguageIndex(languages, languages[0]?.code ?? ''), wanted, mode).links.map(
    ({ code, strategy }) => `${code} ${strategy}`,
  );

const en = language('en');

const byDefault = 'en default_language';
test.each([
  ['the language itself comes first', 'fr', ['fr'], ['fr exact']],
  ['Spanish is not offered for Catalan', 'ca', ['es'], []],
  ['Russian is not offered for Belarusian', 'be', ['ru'], []],
  ['Turkish is not offered for Kurdish', 'ku', ['tr'], []],
  ['the other script of Serbian is offered', 'sr-Latn', ['sr'], ['sr locale_match']],
  ['Latin script is offered for Serbian', 'sr', ['sr-Latn'], ['sr-latn locale_match']],
  [
    'the own script comes first',
    'sr-RS',
    ['sr-Latn', 'sr-Cyrl-BA'],
    ['sr-cyrl-ba locale_match', 'sr-latn locale_match'],
  ],
  ['another script of Uzbek is not offered', 'uz-Cyrl', ['uz'], []],
  ['Hans is not offered for Hant', 'zh-TW', ['zh-Hans'], []],
  ['Hant is offered for Taiwan', 'zh-TW', ['zh-Hant-HK'], ['zh-hant-hk locale_match']],
  ['Norwegian and Bokmål are one language', 'nb-NO', ['no'], ['no locale_match']],
  ['Bokmål is offered for Norwegian', 'no', ['nb'], ['nb locale_match']],
  ['Bokmål is offered for Nynorsk', 'nn', ['nb'], ['nb locale_match']],
  ['Norwegian is offered for Nynorsk', 'nn-NO', ['no'], ['no locale_match']],
  ['Nynorsk is offered for Bokmål', 'nb', ['nn'], ['nn locale_match']],
  ['Nynorsk is offered for Norwegian', 'no', ['nn'], ['nn locale_match']],
  ['Bokmål comes before Nynorsk', 'no', ['nn', 'nb'], ['nb locale_match', 'nn locale_match']],
  ['Danish is not offered for Norwegian', 'nb', ['da'], []],
  ['Bosnian is offered for Croatian', 'hr', ['bs'], ['bs locale_match']],
  ['Croatian is offered for Bosnian', 'bs', ['hr'], ['hr locale_match']],
  ['Croatian is not offered for Bosnian in Cyrillic script', 'bs-Cyrl', ['hr'], []],
  ['Serbian is not offered for Croatian', 'hr', ['sr-Latn'], []],
  ['Serbian is offered for sh', 'sh', ['sr'], ['sr locale_match']],
  [
    'German is offered for Swiss German',
    'gsw',
    ['de-DE', 'de-CH'],
    ['de-ch locale_match', 'de-de locale_match'],
  ],
  ['Swiss German is not offered for German', 'de-CH', ['gsw'], []],
  ['German is offered for Luxembourgish', 'lb-LU', ['de'], ['de locale_match']],
  ['Luxembourgish is not offered for German', 'de', ['lb'], []],
  [
    'the Chinese of Hong Kong is offered for Cantonese',
    'yue',
    ['zh-TW', 'zh-HK', 'zh-CN'],
    ['zh-hk locale_match', 'zh-tw locale_match'],
  ],
  ['Cantonese in Hans gets Chinese in Hans', 'yue-CN', ['zh-HK', 'zh-CN'], ['zh-cn locale_match']],
  ['Cantonese is not offered for Chinese', 'zh-HK', ['yue'], []],
  [
    'the nearer region comes first',
    'es-AR',
    ['es-ES', 'es-MX'],
    ['es-mx locale_match', 'es-es locale_match'],
  ],
  ['a tag without a language matches no other language', 'und', ['fr'], []],
  ['a deprecated tag is read as its successor', 'iw', ['he'], ['he exact']],
  ['sh is Serbian in Latin script', 'sh', ['sr-Latn'], ['sr-latn exact']],
  ['any case and an underscore are accepted', 'PT_br', ['pt-BR'], ['pt-br exact']],
  ['an invalid tag has only the default language', 'x-foo', ['fr'], []],
])('without configured fallbacks %s', (_, wanted, configured, expected) => {
  const languages = [en, ...configured.map((tag) => language(tag))];
  expect(chain([wanted], languages)).toEqual([...expected, byDefault]);
});

test('configured fallbacks come before related languages, depth first and once each', () => {
  const languages = [
    en,
    language('ca', { fallbacks: ['es', 'fr'] }),
    language('es', { fallbacks: ['pt', 'fr'] }),
    language('fr'),
    language('pt'),
    language('ca-ES-valencia'),
  ];
  expect(chain(['ca'], languages)).toEqual([
    'ca exact',
    'es configured_fallback',
    'pt configured_fallback',
    'fr configured_fallback',
    'ca-es-valencia locale_match',
    'en default_language',
  ]);
});

test('a language that is not configured has the fallbacks of related languages, after all of those', () => {
  const languages = [en, language('fr', { fallbacks: ['de'] }), language('de'), language('fr-BE')];
  expect(chain(['fr-CA'], languages)).toEqual([
    'fr locale_match',
    'fr-be locale_match',
    'de configured_fallback',
    'en default_language',
  ]);
});

test('the fallbacks of a language come before those of related languages', () => {
  const languages = [
    en,
    language('fr', { fallbacks: ['de'] }),
    language('fr-CA', { fallbacks: ['es'] }),
    language('de'),
    language('es'),
  ];
  expect(chain(['fr-CA'], languages)).toEqual([
    'fr-ca exact',
    'es configured_fallback',
    'fr locale_match',
    'de configured_fallback',
    'en default_language',
  ]);
  expect(chain(['fr-CA'], languages, 'default')).toEqual(['fr-ca exact', 'en default_language']);
});

test('a cycle of fallbacks contains each language once', () => {
  const languages = [en, language('fr', { fallbacks: ['de'] }), language('de', { fallbacks: ['fr'] })];
  expect(chain(['fr'], languages)).toEqual(['fr exact', 'de configured_fallback', 'en default_language']);
});

test('inactive languages are not offered as related languages, but can be requested', () => {
  const languages = [en, language('pt-BR', { active: false })];
  expect(chain(['pt-PT'], languages)).toEqual(['en default_language']);
  expect(chain(['pt-BR'], languages)).toEqual(['pt-br exact', 'en default_language']);
});

test('several wanted languages come in their order, before the default language', () => {
  const languages = [en, language('fr'), language('de-DE')];
  expect(chain(['it', 'de-AT', 'fr'], languages)).toEqual([
    'de-de locale_match',
    'fr exact',
    'en default_language',
  ]);
});

test('the modes `default` and `none` shorten the chain', () => {
  const languages = [en, language('fr', { fallbacks: ['de'] }), language('de')];
  expect(chain(['fr'], languages, 'default')).toEqual(['fr exact', 'en default_language']);
  expect(chain(['fr'], languages, 'none')).toEqual(['fr exact']);
  expect(chain(['it'], languages, 'none')).toEqual([]);
});

test('a language with a private part is distinct from, and related to, the language without it', () => {
  const languages = [en, language('de-DE'), language('de-DE-x-formal')];
  expect(chain(['de-DE-x-formal'], languages)[0]).toBe('de-de-x-formal exact');
  expect(chain(['de-DE'], languages).slice(0, 2)).toEqual(['de-de exact', 'de-de-x-formal locale_match']);
});

describe('picking a member', () => {
  const index = createLanguageIndex([en, language('fr'), language('de')], 'en');
  const member = (code: string | null, isSource = false) => ({ code, isSource });

  test('selects the member of the first language in the chain that has one', () => {
    const picked = pickMember(buildChain(index, ['fr'], 'chain'), [member('de', true), member('en')]);
    expect(picked).toEqual({ member: member('en'), strategy: 'default_language' });
  });

  test('selects the source last, even if its language is unknown', () => {
    const picked = pickMember(buildChain(index, ['fr'], 'chain'), [member(null, true)]);
    expect(picked).toEqual({ member: member(null, true), strategy: 'source' });
  });

  test('selects no source in the mode `default`, and no other member outside of the chain', () => {
    expect(pickMember(buildChain(index, ['fr'], 'default'), [member('de', true)])).toBeNull();
    expect(pickMember(buildChain(index, ['fr'], 'chain'), [member('de')])).toBeNull();
  });
});
