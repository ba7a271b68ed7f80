import { filler, runCheck, surroundedBy, testChecks } from '../../../../../test/support/checks/runCheck.ts';

const keyphrase = 'used car';
const permalink = 'https://a.example/x';

testChecks({
  'keyphrase.length': [
    ['one to four content words', { keyphrase: 'the red used family car' }, 'good good'],
    ['no keyphrase', {}, 'na no_keyphrase'],
    ['a keyphrase without a word', { keyphrase: '—' }, 'na no_keyphrase'],
  ],
  'keyphrase.in_seo_title': [
    ['exactly at the start', { keyphrase, seoTitle: 'Used car in Munich' }, 'good good'],
    ['after function words', { keyphrase, title: 'The used car in Munich' }, 'good good'],
    ['exactly, later', { keyphrase, title: 'Munich: your used car' }, 'ok not_at_start'],
    ['in another form', { keyphrase, title: 'Used cars in Munich' }, 'ok not_exact'],
    ['half of it', { keyphrase, title: 'A car in Munich' }, 'bad missing'],
    ['other forms of an exact one', { keyphrase: '"used car"', title: 'Used cars in Munich' }, 'bad missing'],
    [
      'the SEO title wins over the title',
      { keyphrase, title: 'Used car', seoTitle: 'Munich' },
      'bad missing',
    ],
    ['stuffed with the keyphrase', { keyphrase, title: 'Used car, used cars, used car' }, 'bad too_often'],
    ['twice', { keyphrase, title: 'Used car prices: what a used car costs' }, 'good good'],
    ['no title', { keyphrase, title: ' ' }, 'na no_title'],
  ],
  'keyphrase.in_introduction': [
    ['in one sentence', { keyphrase, content: '<h2>x</h2><p>Cars we used. More.</p>' }, 'good good'],
    ['a synonym', { keyphrase, synonyms: ['auto'], content: '<p>Two autos.</p>' }, 'good good'],
    ['over two sentences', { keyphrase, content: '<p>We used it. The car drives.</p>' }, 'ok scattered'],
    ['in the second paragraph', { keyphrase, content: '<p>Hello.</p><p>Used cars.</p>' }, 'bad missing'],
    ['in a list where there is no paragraph', { keyphrase, content: '<ul><li>Used cars</ul>' }, 'good good'],
    ['only in a heading', { keyphrase, content: '<h2>Used cars</h2><p>Hello.</p>' }, 'bad missing'],
    ['no content', { keyphrase, content: '' }, 'na no_content'],
  ],
  'keyphrase.density': [
    ['synonyms do not count', { keyphrase, synonyms: ['auto'], content: '<p>Auto.</p>' }, 'bad missing'],
  ],
  'keyphrase.distribution': [
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
    ['as a synonym', { keyphrase, synonyms: ['auto'], metaDescription: 'Buy an auto.' }, 'good good'],
    [
      'stuffed within one sentence',
      { keyphrase, metaDescription: 'Used cars, used cars, used cars from Munich.' },
      'bad too_often',
    ],
    [
      'stuffed with an exact keyphrase',
      { keyphrase: '"used car"', metaDescription: 'A used car, a used car, a used car.' },
      'bad too_often',
    ],
    [
      'stuffed with a synonym',
      { keyphrase, synonyms: ['auto'], metaDescription: 'Auto, autos, auto.' },
      'bad too_often',
    ],
    [
      'stuffed over two sentences',
      { keyphrase, metaDescription: 'Used cars and used cars. A used car.' },
      'bad too_often',
    ],
    ['twice in one sentence', { keyphrase, metaDescription: 'Used cars, only used cars.' }, 'good good'],
    [
      'once with each of two synonyms',
      { keyphrase, synonyms: ['car', 'auto'], metaDescription: 'Used cars, autos.' },
      'good good',
    ],
    ['no description', { keyphrase }, 'na no_meta_description'],
  ],
  'keyphrase.in_subheadings': [
    ['the only one', { keyphrase, content: '<h2>Used cars</h2>' }, 'good good'],
    ['half the words are not enough', { keyphrase, content: '<h2>Car prices</h2>' }, 'bad too_few'],
    ['H4 does not count', { keyphrase, content: '<h4>Used car</h4>' }, 'na no_subheadings'],
  ],
  'keyphrase.in_slug': [
    ['all of two words', { keyphrase, slug: 'buy-used-cars' }, 'good good'],
    ['one of three words', { keyphrase: 'used family car', slug: 'car' }, 'ok missing'],
    ['umlauts with two letters', { keyphrase: 'Händler', slug: 'haendler-ulm', locale: 'de' }, 'good good'],
    ['umlauts without dots', { keyphrase: 'Händler', slug: 'handler', locale: 'de' }, 'good good'],
    ['Cyrillic in Latin letters', { keyphrase: 'машины', slug: 'te-mashiny', locale: 'ru' }, 'good good'],
    [
      'Cyrillic, percent-encoded',
      { keyphrase: 'машины', slug: encodeURIComponent('машины'), locale: 'ru' },
      'good good',
    ],
    [
      'an unknown script',
      { keyphrase: '中古車', slug: 'chukosha', locale: 'ja' },
      'na language_data_missing',
    ],
    ['no slug', { keyphrase }, 'na no_slug'],
  ],
  'keyphrase.in_image_alt': [
    ['an image of the gallery', { keyphrase, images: [{ src: 'a', alt: 'A used car' }] }, 'good good'],
    ['half of the words', { keyphrase, content: '<img src=a alt="a red car">' }, 'good good'],
    ['one word of three', { keyphrase: `${keyphrase} dealer`, content: '<img alt="car">' }, 'ok too_few'],
    ['no images', { keyphrase, content: '<p>x</p>' }, 'na no_images'],
  ],
  'keyphrase.competing_links': [
    ['another text', { keyphrase, content: '<a href="/x">used car prices</a>' }, 'good good'],
    ['the keyphrase', { keyphrase, content: '<a href="/x">the used cars</a>' }, 'bad found'],
    ['a synonym', { keyphrase, synonyms: ['auto'], content: '<a href="/x">Auto</a>' }, 'bad found'],
    ['a link within the page', { keyphrase, content: '<a href="#x">used car</a>' }, 'good good'],
    [
      'a link to the page itself',
      { keyphrase, permalink, content: '<a href="/x">used car</a>' },
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
    ['no keyphrase', { surroundings: surroundedBy() }, 'na no_keyphrase'],
  ],
});

describe('what keyphrase checks say', () => {
  test('density names the counts it wants, corrected for the length of the keyphrase', () => {
    const words = `<p>${filler(120)} Used family car.</p>`;
    const { value } = runCheck('keyphrase.density', { keyphrase: 'used family car', content: words });
    // 603 words, factor 0.7 + 3/3: ceil(0.5 * 603 / 170) = 2 and floor(3.5 * 603 / 170) = 12.
    expect(value).toEqual({ count: 1, requiredMin: 2, requiredMax: 12, percent: 0.28 });
  });

  test('positions mark each place, neighbouring words as one', () => {
    const content = '<p>A u<b>sed</b> car. Cars were used.</p>';
    const { positions } = runCheck('keyphrase.density', { keyphrase, content });
    expect(positions.map(({ start, end }) => content.slice(start, end))).toEqual([
      'u<b>sed</b> car',
      'Cars',
      'used',
    ]);
    expect(positions.map(({ excerpt }) => excerpt)).toEqual(['used car', 'Cars', 'used']);
  });

  test('the title is marked under the name of the field that was judged', () => {
    expect(runCheck('keyphrase.in_seo_title', { keyphrase, seoTitle: 'A used car' }).positions).toEqual([
      { field: 'seoTitle', start: 2, end: 10, excerpt: 'used car' },
    ]);
  });
});
