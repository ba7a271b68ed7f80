import type { CheckId } from '../../ruleset/Ruleset.ts';
import { type CheckCase, judge, surroundedBy, verdictOf } from '../judge.ts';

const words = (count: number): string => `<p>${'word '.repeat(count)}</p>`;

const tables: Partial<Record<CheckId, CheckCase[]>> = {
  'content.length': [
    ['300 words', { content: words(300) }, 'good good'],
    ['249 words', { content: words(249) }, 'ok slightly_short'],
    ['248 words', { content: words(248) }, 'bad too_short'],
    ['nothing', {}, 'bad too_short'],
    ['899 words of a cornerstone', { content: words(899), isCornerstone: true }, 'ok slightly_short'],
    ['200 words of a product', { content: words(200), profile: 'product' }, 'good good'],
    ['30 words of a collection', { content: words(30), profile: 'collection' }, 'good good'],
    ['600 characters of Japanese', { content: '車'.repeat(600), locale: 'ja' }, 'good good'],
    ['400 characters of Chinese', { content: '车'.repeat(400), locale: 'zh' }, 'bad too_short'],
  ],
  'content.placeholder': [
    ['real text', { content: '<p>To do this, your [1] car.</p>' }, 'good good'],
    ['filler text', { content: '<p>Lorem <b>ipsum</b> dolor</p>' }, 'bad found'],
    ['a note', { content: '<p>TODO: price</p>' }, 'bad found'],
    ['a Spanish word in capitals', { content: '<p>TODO INCLUIDO</p>', locale: 'es' }, 'good good'],
    ['template braces', { content: '<p>Dear {{ name }}</p>' }, 'bad found'],
    ['a template variable', { content: '<p>%%title%%</p>' }, 'bad found'],
    ['a bracketed instruction', { content: '<p>[Insert price here]</p>' }, 'bad found'],
    ['no content', {}, 'na no_content'],
  ],
  'content.duplicate': [
    ['nothing is known about other objects', { content: words(50) }, 'na object_unknown'],
    ['49 words', { content: words(49), surroundings: surroundedBy({ nearestCopy: 0 }) }, 'na text_too_short'],
    ['no near one', { content: words(50), surroundings: surroundedBy() }, 'good good'],
    ['3 bits', { content: words(50), surroundings: surroundedBy({ nearestCopy: 3 }) }, 'bad near_copy'],
    ['4 bits', { content: words(50), surroundings: surroundedBy({ nearestCopy: 4 }) }, 'good good'],
  ],
  'headings.h1': [
    ['a title and none in the text', { title: 'x', content: '<p>x</p>' }, 'good good'],
    ['no title and one in the text', { content: '<h1>x</h1>' }, 'good good'],
    ['neither', { content: '<p>x</p>' }, 'bad missing'],
    ['two in the text', { content: '<h1>x</h1><h1>y</h1>' }, 'bad several'],
    ['no content', { title: 'x' }, 'na no_content'],
  ],
  'headings.order': [
    ['step by step', { content: '<h2>a</h2><h3>b</h3><h2>c</h2><h3>d</h3>' }, 'good good'],
    ['back up over several levels', { content: '<h2>a</h2><h3>b</h3><h4>c</h4><h2>d</h2>' }, 'good good'],
    ['one skip', { content: '<h2>a</h2><h4>b</h4>' }, 'ok skipped'],
    ['two skips', { content: '<h1>a</h1><h3>b</h3><h6>c</h6>' }, 'bad skipped'],
    ['one heading', { content: '<h2>a</h2>' }, 'na no_headings'],
  ],
  'headings.quality': [
    ['filled, distinct, short', { content: '<h2>a</h2><h2>b</h2>' }, 'good good'],
    ['one empty', { content: '<h2>a</h2><h2> </h2>' }, 'ok defects'],
    ['one repeated in another case', { content: '<h2>a</h2><h3>A</h3>' }, 'ok defects'],
    ['71 characters', { content: `<h2>${'x'.repeat(71)}</h2>` }, 'ok defects'],
    ['two defects', { content: '<h2></h2><h2></h2>' }, 'bad defects'],
    ['none', { content: '<p>a</p>' }, 'na no_headings'],
  ],
  'images.present': [
    ['one', { content: '<img src=a>' }, 'good good'],
    ['none', { content: '<p>x</p>' }, 'bad missing'],
    [
      'four of a product',
      { profile: 'product', content: '<img src=a><img src=b><img src=c><img src=d>' },
      'ok too_few',
    ],
    [
      'five of a product, over text and gallery, each counted once',
      {
        profile: 'product',
        content: '<img src=a><img src=b>',
        images: [{ src: 'b' }, { src: 'c' }, { src: 'd' }, { src: 'e' }],
      },
      'good good',
    ],
    ['a collection', { profile: 'collection' }, 'na not_in_profile'],
  ],
  'images.alt': [
    ['all described', { content: '<img src=a alt=x><img src=b role=none>' }, 'good good'],
    ['four of five', { content: `${'<img alt=x>'.repeat(4)}<img alt="">` }, 'ok missing'],
    ['one of two', { content: '<img alt=x><img>' }, 'bad missing'],
    ['a gallery without', { images: [{ src: 'a', alt: null }] }, 'bad missing'],
    ['no images', {}, 'na no_images'],
  ],
};

for (const [id, cases] of Object.entries(tables)) {
  describe(id, () => {
    test.each(cases)('%s', (_title, input, expected) => {
      expect(verdictOf(judge(id as CheckId, input))).toBe(expected);
    });
  });
}

describe('points for the length of a text', () => {
  test.each([
    [0, 0],
    [124.5, 1.75],
    [249, 3.5],
    [274.5, 5.25],
    [300, 7],
    [3000, 7],
  ])('%d words earn %d', (count, points) => {
    const { points: earned } = judge('content.length', { content: words(Math.floor(count)) });
    expect(Math.abs(earned - points)).toBeLessThan(0.06);
  });
});

test('a placeholder is marked where it stands, tags inside included', () => {
  const content = '<p>&amp; Lorem <b>ip</b>sum</p>';
  const [position] = judge('content.placeholder', { content }).positions;
  expect(content.slice(position?.start, position?.end)).toBe('Lorem <b>ip</b>sum');
});

test('an image of the gallery is marked in its own field', () => {
  expect(judge('images.alt', { content: '<img alt=x>', images: [{ src: 'g', alt: '' }] }).positions).toEqual([
    { field: 'images.0.alt', start: 0, end: 0, excerpt: null },
  ]);
});
