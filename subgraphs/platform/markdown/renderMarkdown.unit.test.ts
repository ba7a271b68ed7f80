import fc from 'fast-check';
import { cpuMsOf } from '../../../test/support/cpuMsOf.ts';
import { renderDescription, renderMarkdown } from './renderMarkdown.ts';

test.each([
  ['paragraphs', 'one\ntwo\n\nthree', '<p>one\ntwo</p>\n<p>three</p>'],
  ['headings', '# Big\n### Small', '<h1>Big</h1>\n<h3>Small</h3>'],
  [
    'lists',
    '- a\n- b\n\n1. c\n2. d',
    '<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<ol>\n<li>c</li>\n<li>d</li>\n</ol>',
  ],
  ['nested lists', '- a\n  - b\n- c', '<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n<li>c</li>\n</ul>'],
  ['a line end that is kept', 'a\\\nb', '<p>a<br>\nb</p>'],
  ['a continued list entry', '- a\n  more\n- b', '<ul>\n<li>a\nmore</li>\n<li>b</li>\n</ul>'],
  [
    'emphasis',
    '*a* **b** _c_ ***d***',
    '<p><em>a</em> <strong>b</strong> <em>c</em> <em><strong>d</strong></em></p>',
  ],
  [
    'asterisks and underscores that are not marks',
    '2 * 3 * 4, snake_case_word, a*',
    '<p>2 * 3 * 4, snake_case_word, a*</p>',
  ],
  [
    'crossed marks',
    '*a [b* c](https://c.test)',
    '<p>*a <a href="https://c.test" rel="nofollow ugc noopener">b* c</a></p>',
  ],
  ['escaped marks', '\\*a\\* \\[b\\](c)', '<p>*a* [b](c)</p>'],
  [
    'links',
    '[a](https://b.test/?x=1&y=2) [m](mailto:a@b.test)',
    '<p><a href="https://b.test/?x=1&amp;y=2" rel="nofollow ugc noopener">a</a> <a href="mailto:a@b.test" rel="nofollow ugc noopener">m</a></p>',
  ],
  [
    'nested links',
    '[a [b](https://b.test) c](https://c.test)',
    '<p>[a <a href="https://b.test" rel="nofollow ugc noopener">b</a> c](https://c.test)</p>',
  ],
])('Markdown with %s is rendered as HTML', (_, markdown, html) => {
  expect(renderMarkdown(markdown)).toBe(html);
});

test('headings of a description start at the second level', () => {
  const html = '<h2>Big</h2>\n<h4>Small</h4>\n<h6>Smallest</h6>\n<p>Text</p>';
  expect(renderDescription('# Big\n### Small\n###### Smallest\nText')).toBe(html);
});

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[a](javascript:alert(1))',
  '[a](https://b.test" onclick="alert(1))',
  '[a](data:text/html,x)',
  "# <b onmouseover='x'>",
])('active content is not rendered: %s', (markdown) => {
  const html = renderMarkdown(markdown);
  expect(html).not.toMatch(/<(script|img|b)\b/);
  expect(html).not.toMatch(/<[^>]*\son\w+=/);
  expect(html).not.toMatch(/href="(?!https?:|mailto:)/);
});

test('the HTML of random Markdown contains only permitted and balanced tags', () => {
  const marks = ['*', '**', '_', '[', '](https://a.test)', ' ', '\n', '- ', '# ', 'a', '<', '\\', '"'];
  const piece = fc.constantFrom(...marks);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const stack: string[] = [];
      for (const [, close, name = ''] of renderMarkdown(pieces.join('')).matchAll(/<(\/?)([a-z0-9]+)/g)) {
        if (name === 'br') continue;
        expect(name).toMatch(/^(p|h[1-6]|ul|ol|li|em|strong|a)$/);
        if (close) expect(stack.pop()).toBe(name);
        else stack.push(name);
      }
      expect(stack).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test.each(['[', '*a ', '](', '[](https://', '**a _b ', '\n- ', '# \n', '[a](https://b.test)', '\\', 'a_'])(
  'rendering repeated %j takes time in proportion to its length',
  (piece) => {
    const measure = (length: number): number => {
      const text = piece.repeat(length / piece.length);
      return Math.min(...Array.from({ length: 3 }, () => cpuMsOf(() => renderMarkdown(text))));
    };
    // In quadratic time, ten times the text would take a hundred times as long. The constant covers garbage collection.
    expect(measure(200_000)).toBeLessThan(25 * measure(20_000) + 150);
  },
);
