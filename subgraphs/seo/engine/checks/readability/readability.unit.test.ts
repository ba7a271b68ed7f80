import { filler, runCheck, testChecks } from '../../../../../test/support/checks/runCheck.ts';
import type { AnalysisInput } from '../../contract.ts';

/** One sentence of so many words, its first word given. */
const sentence = (words: number, first = 'We'): string => `${first}${' word'.repeat(words - 1)}. `;
const paragraph = (words: number): string => `<p>${sentence(words)}</p>`;

testChecks({
  'sentences.length': [
    [
      'three sentences of which one is long',
      { content: `<p>${sentence(5)}${sentence(30)}${sentence(5)}</p>` },
      'na text_too_short',
    ],
    [
      'five sentences of which one is long',
      { content: `<p>${sentence(5).repeat(4)}${sentence(30)}</p>` },
      'good good',
    ],
    [
      'three Japanese sentences of which one is long',
      { content: `<p>車です。${'車'.repeat(50)}。車です。</p>`, locale: 'ja' },
      'na text_too_short',
    ],
    ['headings are no sentences', { content: `<h2>${sentence(30)}</h2>` }, 'na text_too_short'],
    ['no content', {}, 'na no_content'],
  ],
  'subheadings.distribution': [
    ['a short text without', { content: paragraph(300) }, 'good good'],
    ['a long text without', { content: paragraph(301) }, 'bad missing'],
    ['300 words around one', { content: `${paragraph(300)}<h2>x</h2>${paragraph(300)}` }, 'good good'],
    ['351 words before one', { content: `${paragraph(351)}<h2>x</h2>` }, 'bad too_long'],
    ['an H1 divides nothing', { content: `${paragraph(200)}<h1>x</h1>${paragraph(200)}` }, 'bad missing'],
  ],
  'paragraphs.length': [
    ['201 words', { content: paragraph(9) + paragraph(201) }, 'bad too_long'],
    ['a long list item is no paragraph', { content: `<ul><li>${sentence(300)}</ul>` }, 'na text_too_short'],
  ],
  'transitions.share': [
    [
      'a language without a list',
      { content: `<p>${filler(40)}</p>`, locale: 'fi' },
      'na language_data_missing',
    ],
  ],
  'passive.share': [
    ['three passive sentences', { content: `<p>${'It was sold. '.repeat(3)}</p>` }, 'na text_too_short'],
    [
      'ten sentences of which one is passive',
      { content: `<p>It was sold. ${'It drives well. '.repeat(9)}</p>` },
      'good good',
    ],
    ['only headings', { content: '<h2>It was sold.</h2>' }, 'na text_too_short'],
    [
      'a language without rules',
      { content: `<p>${'x y. '.repeat(10)}</p>`, locale: 'fi' },
      'na language_data_missing',
    ],
  ],
  'sentences.beginnings': [
    ['three alike over paragraphs', { content: '<p>We go.</p><p>We stop.</p><p>We go.</p>' }, 'bad repeated'],
    ['a heading between', { content: '<p>We go. We stop.</p><h2>x</h2><p>We go.</p>' }, 'good good'],
    ['articles are looked past', { content: '<p>The car. The price. The end.</p>' }, 'good good'],
    ['one noun after articles', { content: '<p>The car is. The car was. The car.</p>' }, 'bad repeated'],
    ...[
      ['hu', 'A kocsi. A motor. A kerék.'],
      ['hu', 'Az autó. Az ár. Az ajtó.'],
      ['sv', 'En bil. En motor. En dörr.'],
      ['el', 'Το αυτοκίνητο. Το σπίτι. Το τέλος.'],
      ['ca', 'La casa. La porta. La fi.'],
      ['ro', 'O casă. O mașină. O ușă.'],
      ['nb', 'En bil. En motor. En dør.'],
      ['nn', 'Ein bil. Ein motor. Ein båt.'],
      ['da', 'En bil. En motor. En dør.'],
      ['gl', 'O coche. O motor. O prezo.'],
    ].map(([locale, text]): [string, AnalysisInput, string] => [
      `articles of ${locale} are looked past`,
      { content: `<p>${text}</p>`, locale },
      'good good',
    ]),
    [
      'one noun after articles of sv',
      { content: '<p>En bil. En bil. En bil.</p>', locale: 'sv' },
      'bad repeated',
    ],
    ['list items may be alike', { content: '<ul><li>We a.<li>We b.<li>We c.</ul>' }, 'na text_too_short'],
  ],
  'reading.ease': [
    ['a language without a formula', { content: paragraph(200), locale: 'sv' }, 'na language_data_missing'],
  ],
  'text.alignment': [
    ['a centred heading', { content: `<h2 align=center>${'x'.repeat(60)}</h2>` }, 'good good'],
  ],
  'lists.present': [
    ['a product with one', { profile: 'product', content: '<ul><li>x</ul>' }, 'good good'],
    ['a product without', { profile: 'product', content: '<p>x</p>' }, 'bad missing'],
    ['an article', { content: '<p>x</p>' }, 'na not_in_profile'],
  ],
});

test('reading ease names its averages and its formula', () => {
  const content = `<p>${'The dog ran to the red car. '.repeat(20)}</p>`;
  expect(runCheck('reading.ease', { content }).value).toMatchObject({
    score: 100,
    wordsPerSentence: 7,
    syllablesPerWord: 1,
    formula: expect.stringContaining('Flesch 1948'),
  });
});

test('a passive is marked from its auxiliary to its participle', () => {
  const content = `<p>Well, it w<b>as</b> quickly so&shy;ld here. ${'It drives well. '.repeat(9)}</p>`;
  const [position] = runCheck('passive.share', { content }).positions;
  expect(content.slice(position?.start, position?.end)).toBe('w<b>as</b> quickly so&shy;ld');
});

test.each([
  ['de', 'Profile werden in /etc/apparmor.d/ gespeichert. ', 'Wir fahren gern weit. ', true],
  ['de', 'Wir werden es tun: gespeichert ist nichts. ', 'Wir fahren gern weit. ', false],
])('a stop within a file name ends no clause, a colon does: %s, %s', (locale, text, rest, isPassive) => {
  const { value } = runCheck('passive.share', { locale, content: `<p>${text}${rest.repeat(10)}</p>` });
  expect(value).toMatchObject({ passive: isPassive ? 1 : 0 });
});
