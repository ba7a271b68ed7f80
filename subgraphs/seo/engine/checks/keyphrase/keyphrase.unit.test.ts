import type { CheckId } from '../../ruleset/Ruleset.ts';
import { type CheckCase, filler, judge, surroundedBy, verdictOf } from '../judge.ts';

const keyphrase = 'used car';

const tables: Partial<Record<CheckId, CheckCase[]>> = {
  'keyphrase.length': [
    ['one to four content words', { keyphrase: 'the red used family car' }, 'good good'],
    ['five to eight', { keyphrase: 'red used cheap family car Munich' }, 'ok too_long'],
    ['nine', { keyphrase: 'red used cheap fast small family car Munich dealer' }, 'bad too_long'],
    ['a product with three', { keyphrase: 'BMW 320d Touring', profile: 'product' }, 'good good'],
    ['a product with two', { keyphrase: 'BMW 320d', profile: 'product' }, 'ok too_short'],
    ['a product with one', { keyphrase: 'BMW', profile: 'product' }, 'bad too_short'],
    ['six words without a function-word list', { keyphrase: 'a b c d e f', locale: 'xx' }, 'good good'],
    ['seven words without a function-word list', { keyphrase: 'a b c d e f g', locale: 'xx' }, 'ok too_long'],
    ['twelve characters of Japanese', { keyphrase: '中古車中古車中古車中古車', locale: 'ja' }, 'good good'],
    [
      'fifteen characters of Japanese',
      { keyphrase: '中古車中古車中古車中古車中古車', locale: 'ja' },
      'ok too_long',
    ],
    ['no keyphrase', {}, 'na no_keyphrase'],
    ['a keyphrase without a word', { keyphrase: '—' }, 'na no_keyphrase'],
  ],
  'keyphrase.in_seo_title': [
    ['exactly at the start', { keyphrase, seoTitle: 'Used car in Munich' }, 'good good'],
    ['after function words', { keyphrase, title: 'The used car in Munich' }, 'good good'],
    ['exactly, later', { keyphrase, title: 'Munich: your used car' }, 'ok not_at_start'],
    ['in another form', { keyphrase, title: 'Used cars in Munich' }, 'ok not_exact'],
    ['half of it', { keyphrase, title: 'A car in Munich' }, 'bad missing'],
    [
      'other forms of an exact keyphrase',
      { keyphrase: '"used car"', title: 'Used cars in Munich' },
      'bad missing',
    ],
    [
      'the SEO title wins over the title',
      { keyphrase, title: 'Used car', seoTitle: 'Munich' },
      'bad missing',
    ],
    ['no title', { keyphrase, title: ' ' }, 'na no_title'],
  ],
  'keyphrase.in_introduction': [
    ['in one sentence', { keyphrase, content: '<h2>x</h2><p>Cars we used. More.</p>' }, 'good good'],
    [
      'a synonym in one sentence',
      { keyphrase, synonyms: ['old vehicle'], content: '<p>Old vehicles.</p>' },
      'good good',
    ],
    ['over two sentences', { keyphrase, content: '<p>We used it. The car drives.</p>' }, 'ok scattered'],
    [
      'only in the second paragraph',
      { keyphrase, content: '<p>Hello there.</p><p>Used cars.</p>' },
      'bad missing',
    ],
    ['in a list where there is no paragraph', { keyphrase, content: '<ul><li>Used cars</ul>' }, 'good good'],
    ['only in a heading', { keyphrase, content: '<h2>Used cars</h2><p>Hello.</p>' }, 'bad missing'],
    ['no content', { keyphrase, content: '' }, 'na no_content'],
  ],
  'keyphrase.density': [
    ['once in a short text', { keyphrase, content: '<p>A used car.</p>' }, 'good good'],
    [
      'three times in a short text',
      { keyphrase, content: '<p>Used car. Used car. Used car.</p>' },
      'bad too_high',
    ],
    ['never', { keyphrase, content: '<p>Hello.</p>' }, 'bad missing'],
    ['once in 100 words', { keyphrase, content: `<p>${filler(20)} A used car.</p>` }, 'bad too_low'],
    [
      'twice in 100 words',
      { keyphrase, content: `<p>${filler(20)} A used car. Used cars.</p>` },
      'good good',
    ],
    [
      'ten times in 100 words',
      { keyphrase, content: `<p>${filler(16)}${' Used car.'.repeat(10)}</p>` },
      'bad too_high',
    ],
    ['synonyms do not count', { keyphrase, synonyms: ['auto'], content: '<p>Auto.</p>' }, 'bad missing'],
  ],
  'keyphrase.distribution': [
    ['fourteen sentences are too few', { keyphrase, content: `<p>${filler(14)}</p>` }, 'na text_too_short'],
    ['never', { keyphrase, content: `<p>${filler(15)}</p>` }, 'bad missing'],
    ['at the beginning only', { keyphrase, content: `<p>Used car. ${filler(19)}</p>` }, 'bad uneven'],
    ['in the middle', { keyphrase, content: `<p>${filler(9)} Used car. ${filler(10)}</p>` }, 'ok uneven'],
    [
      'every fifth sentence, once as a synonym',
      {
        keyphrase,
        synonyms: ['auto'],
        content: `<p>${filler(5)} Used car. ${filler(5)} Auto. ${filler(5)}</p>`,
      },
      'good good',
    ],
  ],
  'keyphrase.in_meta_description': [
    ['in one sentence', { keyphrase, metaDescription: 'Buy a used car. Now.' }, 'good good'],
    ['as a synonym', { keyphrase, synonyms: ['auto'], metaDescription: 'Buy an auto.' }, 'good good'],
    ['in three sentences', { keyphrase, metaDescription: 'Used car. Used car! Used car?' }, 'bad too_often'],
    ['not at all', { keyphrase, metaDescription: 'Buy here.' }, 'bad missing'],
    ['no description', { keyphrase }, 'na no_meta_description'],
  ],
  'keyphrase.in_subheadings': [
    ['one of two', { keyphrase, content: '<h2>Used cars</h2><h3>Prices</h3>' }, 'good good'],
    ['the only one', { keyphrase, content: '<h2>Used cars</h2>' }, 'good good'],
    ['none of two', { keyphrase, content: '<h2>Hello</h2><h3>Prices</h3>' }, 'bad too_few'],
    ['half the words are not enough', { keyphrase, content: '<h2>Car prices</h2>' }, 'bad too_few'],
    ['all of four', { keyphrase, content: '<h2>Used car</h2>'.repeat(4) }, 'bad too_many'],
    ['H4 does not count', { keyphrase, content: '<h4>Used car</h4>' }, 'na no_subheadings'],
  ],
  'keyphrase.in_slug': [
    ['all of two words', { keyphrase, slug: 'buy-used-cars' }, 'good good'],
    ['one of two words', { keyphrase, slug: 'buy-cars' }, 'ok missing'],
    ['two of three words', { keyphrase: 'used family car', slug: 'used-car' }, 'good good'],
    ['one of three words', { keyphrase: 'used family car', slug: 'car' }, 'ok missing'],
    [
      'umlauts with two letters',
      { keyphrase: 'Händler', slug: 'haendler-muenchen', locale: 'de' },
      'good good',
    ],
    ['umlauts without dots', { keyphrase: 'Händler', slug: 'handler', locale: 'de' }, 'good good'],
    [
      'Cyrillic in Latin letters',
      { keyphrase: 'хорошие машины', slug: 'khoroshie-mashiny', locale: 'ru' },
      'good good',
    ],
    [
      'Cyrillic, percent-encoded',
      { keyphrase: 'машины', slug: encodeURIComponent('машины'), locale: 'ru' },
      'good good',
    ],
    [
      'a script that is not romanised here',
      { keyphrase: '中古車', slug: 'chukosha', locale: 'ja' },
      'na language_data_missing',
    ],
    ['no slug', { keyphrase }, 'na no_slug'],
  ],
  'keyphrase.in_image_alt': [
    ['one of two images', { keyphrase, content: '<img src=a alt="used cars"><img src=b>' }, 'good good'],
    ['an image of the gallery', { keyphrase, images: [{ src: 'a', alt: 'A used car' }] }, 'good good'],
    ['half of the words', { keyphrase, content: '<img src=a alt="a red car">' }, 'good good'],
    ['one word of three', { keyphrase: `${keyphrase} dealer`, content: '<img alt="car">' }, 'ok too_few'],
    ['none', { keyphrase, content: '<img src=a alt="a red van">' }, 'ok too_few'],
    ['all of five', { keyphrase, content: '<img alt="used car">'.repeat(5) }, 'ok too_many'],
    [
      'two of five',
      { keyphrase, content: '<img alt="used car">'.repeat(2) + '<img>'.repeat(3) },
      'good good',
    ],
    ['no images', { keyphrase, content: '<p>x</p>' }, 'na no_images'],
  ],
  'keyphrase.competing_links': [
    ['another text', { keyphrase, content: '<a href="/x">used car prices</a>' }, 'good good'],
    ['the keyphrase', { keyphrase, content: '<a href="/x">the used cars</a>' }, 'bad found'],
    ['a synonym', { keyphrase, synonyms: ['auto'], content: '<a href="/x">Auto</a>' }, 'bad found'],
    ['a link within the page', { keyphrase, content: '<a href="#x">used car</a>' }, 'good good'],
    [
      'a link to the page itself',
      { keyphrase, permalink: 'https://a.example/x', content: '<a href="/x">used car</a>' },
      'good good',
    ],
    ['no links', { keyphrase, content: '<p>x</p>' }, 'na no_links'],
  ],
  'keyphrase.function_words_only': [
    ['a topic', { keyphrase }, 'good good'],
    ['function words', { keyphrase: 'what is it' }, 'info found'],
    ['a language without a list', { keyphrase: 'what is it', locale: 'xx' }, 'na language_data_missing'],
  ],
  'keyphrase.unique': [
    ['nothing is known about other objects', { keyphrase }, 'na object_unknown'],
    ['no other', { keyphrase, surroundings: surroundedBy() }, 'good good'],
    ['one other', { keyphrase, surroundings: surroundedBy({ keyphraseUses: 1 }) }, 'ok used_once'],
    ['two others', { keyphrase, surroundings: surroundedBy({ keyphraseUses: 2 }) }, 'bad used_often'],
    ['no keyphrase', { surroundings: surroundedBy() }, 'na no_keyphrase'],
  ],
};

for (const [id, cases] of Object.entries(tables)) {
  describe(id, () => {
    test.each(cases)('%s', (_title, input, expected) => {
      expect(verdictOf(judge(id as CheckId, input))).toBe(expected);
    });
  });
}

describe('what keyphrase checks say', () => {
  test('density names the counts it wants, corrected for the length of the keyphrase', () => {
    const words = `<p>${filler(120)} Used family car.</p>`;
    const { value } = judge('keyphrase.density', { keyphrase: 'used family car', content: words });
    // 603 words, factor 0.7 + 3/3: ceil(0.5 * 603 / 170) = 2 and floor(3.5 * 603 / 170) = 12.
    expect(value).toEqual({ count: 1, requiredMin: 2, requiredMax: 12, percent: 0.28 });
  });

  test('positions mark each place, neighbouring words as one', () => {
    const content = '<p>A u<b>sed</b> car. Cars were used.</p>';
    const { positions } = judge('keyphrase.density', { keyphrase, content });
    expect(positions.map(({ start, end }) => content.slice(start, end))).toEqual([
      'u<b>sed</b> car',
      'Cars',
      'used',
    ]);
    expect(positions.map(({ excerpt }) => excerpt)).toEqual(['used car', 'Cars', 'used']);
  });

  test('the title is marked under the name of the field that was judged', () => {
    expect(judge('keyphrase.in_seo_title', { keyphrase, seoTitle: 'A used car' }).positions).toEqual([
      { field: 'seoTitle', start: 2, end: 10, excerpt: 'used car' },
    ]);
  });
});
