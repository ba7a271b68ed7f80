import type { CheckId } from '../../ruleset/Ruleset.ts';
import { type CheckCase, filler, judge, verdictOf } from '../judge.ts';

/** One sentence of so many words, its first word given. */
const sentence = (words: number, first = 'We'): string => `${first}${' word'.repeat(words - 1)}. `;
const article = (long: number, short: number, words = 21): string =>
  `<p>${Array.from({ length: long + short }, (_, index) => sentence(index < long ? words : 5, `S${index}`)).join('')}</p>`;
const paragraph = (words: number): string => `<p>${sentence(words)}</p>`;

const tables: Partial<Record<CheckId, CheckCase[]>> = {
  'sentences.length': [
    ['a quarter of them long', { content: article(5, 15) }, 'good good'],
    ['30 percent', { content: article(6, 14) }, 'ok too_long'],
    ['35 percent', { content: article(7, 13) }, 'bad too_long'],
    ['exactly at the limit', { content: article(20, 0, 20) }, 'good good'],
    ['21 words in Spanish', { content: article(20, 0), locale: 'es' }, 'good good'],
    ['16 words in Russian', { content: article(20, 0, 16), locale: 'ru' }, 'bad too_long'],
    ['20 percent in Polish', { content: article(4, 16), locale: 'pl' }, 'ok too_long'],
    ['41 characters in Japanese', { content: `${'車'.repeat(40)}。`, locale: 'ja' }, 'bad too_long'],
    ['headings are no sentences', { content: `<h2>${sentence(30)}</h2>` }, 'na text_too_short'],
    ['no content', {}, 'na no_content'],
  ],
  'subheadings.distribution': [
    ['a short text without', { content: paragraph(300) }, 'good good'],
    ['a long text without', { content: paragraph(301) }, 'bad missing'],
    [
      '300 words before and after one',
      { content: `${paragraph(300)}<h2>x</h2>${paragraph(300)}` },
      'good good',
    ],
    ['350 words after one', { content: `<h2>x</h2>${paragraph(350)}` }, 'ok too_long'],
    ['351 words before one', { content: `${paragraph(351)}<h2>x</h2>` }, 'bad too_long'],
    ['an H1 divides nothing', { content: `${paragraph(200)}<h1>x</h1>${paragraph(200)}` }, 'bad missing'],
    ['600 characters of Japanese', { content: '車'.repeat(600), locale: 'ja' }, 'good good'],
  ],
  'paragraphs.length': [
    ['150 words', { content: paragraph(150) }, 'good good'],
    ['200 words', { content: paragraph(200) }, 'ok too_long'],
    ['201 words', { content: paragraph(9) + paragraph(201) }, 'bad too_long'],
    ['71 words of a product', { profile: 'product', content: paragraph(71) }, 'ok too_long'],
    ['a long list item is no paragraph', { content: `<ul><li>${sentence(300)}</ul>` }, 'na text_too_short'],
    ['401 characters of Japanese', { content: '車'.repeat(401), locale: 'ja' }, 'bad too_long'],
  ],
  'transitions.share': [
    ['below 200 words', { content: `<p>${'However, it works well. '.repeat(20)}</p>` }, 'na text_too_short'],
    ['none', { content: `<p>${filler(40)}</p>` }, 'bad too_few'],
    ['a quarter', { content: `<p>${filler(33)}${' However, it works there.'.repeat(11)}</p>` }, 'ok too_few'],
    ['a third', { content: `<p>${filler(30)}${' In other words, it works.'.repeat(15)}</p>` }, 'good good'],
    [
      'a language without a list',
      { content: `<p>${filler(40)}</p>`, locale: 'sv' },
      'na language_data_missing',
    ],
  ],
  'passive.share': [
    ['one of ten', { content: `<p>It was sold. ${filler(9)}</p>` }, 'good good'],
    ['three of twenty', { content: `<p>${'It was sold. '.repeat(3)}${filler(17)}</p>` }, 'ok too_many'],
    ['one of two', { content: '<p>It was sold. It drives.</p>' }, 'bad too_many'],
    ['only headings', { content: '<h2>It was sold.</h2>' }, 'na text_too_short'],
    ['a language without rules', { content: '<p>x y.</p>', locale: 'sv' }, 'na language_data_missing'],
  ],
  'sentences.beginnings': [
    ['two alike', { content: '<p>We go. We stop. You go.</p>' }, 'good good'],
    ['three alike', { content: '<p>We go. We stop. We go.</p>' }, 'bad repeated'],
    ['three alike over paragraphs', { content: '<p>We go.</p><p>We stop.</p><p>We go.</p>' }, 'bad repeated'],
    ['a heading between', { content: '<p>We go. We stop.</p><h2>x</h2><p>We go.</p>' }, 'good good'],
    ['articles are looked past', { content: '<p>The car. The price. The end.</p>' }, 'good good'],
    [
      'the same noun after an article',
      { content: '<p>The car is. The car was. The car goes.</p>' },
      'bad repeated',
    ],
    ['list items may be alike', { content: '<ul><li>We a.<li>We b.<li>We c.</ul>' }, 'na text_too_short'],
  ],
  'reading.ease': [
    ['below 100 words', { content: paragraph(99) }, 'na text_too_short'],
    [
      'short words and sentences',
      { content: `<p>${'The dog ran to the red car. '.repeat(20)}</p>` },
      'good good',
    ],
    [
      'long words and sentences',
      {
        content: `<p>${'Organisational responsibilities necessitate comprehensive documentation. '.repeat(20)}</p>`,
      },
      'bad difficult',
    ],
    ['a language without a formula', { content: paragraph(200), locale: 'sv' }, 'na language_data_missing'],
  ],
  'text.alignment': [
    ['51 centred characters', { content: `<p align=center>${'x'.repeat(51)}</p>` }, 'info centred'],
    ['50 centred characters', { content: `<p align=center>${'x'.repeat(50)}</p>` }, 'good good'],
    ['a centred heading', { content: `<h2 align=center>${'x'.repeat(60)}</h2>` }, 'good good'],
  ],
  'lists.present': [
    ['a product with one', { profile: 'product', content: '<ul><li>x</ul>' }, 'good good'],
    ['a product without', { profile: 'product', content: '<p>x</p>' }, 'bad missing'],
    ['an article', { content: '<p>x</p>' }, 'na not_in_profile'],
  ],
};

for (const [id, cases] of Object.entries(tables)) {
  describe(id, () => {
    test.each(cases)('%s', (_title, input, expected) => {
      expect(verdictOf(judge(id as CheckId, input))).toBe(expected);
    });
  });
}

test('reading ease names its averages and its formula', () => {
  const content = `<p>${'The dog ran to the red car. '.repeat(20)}</p>`;
  expect(judge('reading.ease', { content }).value).toMatchObject({
    score: 100,
    wordsPerSentence: 7,
    syllablesPerWord: 1,
    formula: expect.stringContaining('Flesch 1948'),
  });
});

test('a passive is marked from its auxiliary to its participle', () => {
  const content = '<p>Well, it w<b>as</b> quickly so&shy;ld here.</p>';
  const [position] = judge('passive.share', { content }).positions;
  expect(content.slice(position?.start, position?.end)).toBe('w<b>as</b> quickly so&shy;ld');
});
