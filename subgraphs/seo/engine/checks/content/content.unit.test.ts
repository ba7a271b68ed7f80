import { runCheck, testChecks } from '../../../../../test/support/checks/runCheck.ts';

const words = (count: number): string => `<p>${'word '.repeat(count)}</p>`;

testChecks({
  'content.length': [
    ['nothing', {}, 'bad too_short'],
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
    ['one heading', { content: '<h2>a</h2>' }, 'na no_headings'],
  ],
  'headings.quality': [
    ['one repeated in another case', { content: '<h2>a</h2><h3>A</h3>' }, 'ok defects'],
    ['none', { content: '<p>a</p>' }, 'na no_headings'],
  ],
  'images.present': [
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
    ['a gallery without', { images: [{ src: 'a', alt: null }] }, 'bad missing'],
    ['no images', {}, 'na no_images'],
  ],
});

test('every check counts a word with hyphens or inner stops once', () => {
  const word = (count: number): string => 'a well-kept U.S. v2.0 e-mail '.repeat(count / 5);
  const page = { content: `<p>${word(300)}</p>`, keyphrase: 'e-mail and U.S. v2.0' };
  expect(runCheck('content.length', page).value).toMatchObject({ words: 300 });
  expect(runCheck('subheadings.distribution', page).rating).toBe('good');
  expect(runCheck('paragraphs.length', page).value).toMatchObject({ longest: 300 });
  expect(runCheck('sentences.length', { content: `<p>${`Go ${word(15)}now. `.repeat(5)}</p>` }).rating).toBe(
    'good',
  );
  expect(runCheck('reading.ease', page).value).toMatchObject({ wordsPerSentence: 300 });
  expect(runCheck('keyphrase.length', page).value).toMatchObject({ words: 3 });
  expect(runCheck('keyphrase.density', { ...page, keyphrase: 'e-mail' }).value).toMatchObject({
    percent: 20.67,
  });
});

describe('points for the length of a text', () => {
  test.each([
    [0, 0],
    [124.5, 1.75],
    [249, 3.5],
    [274.5, 5.25],
    [300, 7],
    [3000, 7],
  ])('%d words earn %d', (count, points) => {
    const { points: earned } = runCheck('content.length', { content: words(Math.floor(count)) });
    expect(Math.abs(earned - points)).toBeLessThan(0.06);
  });
});

test('a placeholder is marked where it stands, tags inside included', () => {
  const content = '<p>&amp; Lorem <b>ip</b>sum</p>';
  const [position] = runCheck('content.placeholder', { content }).positions;
  expect(content.slice(position?.start, position?.end)).toBe('Lorem <b>ip</b>sum');
});

test('an image of the gallery is marked in its own field', () => {
  expect(
    runCheck('images.alt', { content: '<img alt=x>', images: [{ src: 'g', alt: '' }] }).positions,
  ).toEqual([{ field: 'images.0.alt', start: 0, end: 0, excerpt: null }]);
});
