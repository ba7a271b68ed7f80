import fc from 'fast-check';
import { cpuMsOf } from '../../../test/support/cpuMsOf.ts';
import { isBlankArticle, sanitizeArticle } from './sanitizeArticle.ts';

test('sanitizing an article keeps its permitted elements and attributes', () => {
  const article =
    '<h2 lang="de">Autos</h2>\n<p>Ein <strong>guter</strong> <a href="https://example.test/a?b=1&amp;c=2">Wagen</a>,' +
    ' <a href="/listings/x">hier</a> oder <a href="mailto:a@example.test">per Mail</a>.</p>' +
    '<ul><li>rot</li></ul><table><tr><th scope="col">km</th></tr></table>' +
    '<figure><img src="https://example.test/x.webp" alt="Wagen" width="320" height="200" /></figure>';
  expect(sanitizeArticle(article)).toBe(article);
});

test.each([
  ['a script', '<p>a<script>alert(1)</script></p>', '<p>a</p>'],
  ['an event handler', '<p onclick="alert(1)">a</p>', '<p>a</p>'],
  [
    'a javascript: address with a character reference',
    '<a href="java&#x73;cript:alert(1)">a</a>',
    '<a>a</a>',
  ],
  ['a javascript: address after white space', '<a href=" &#9;javascript:alert(1)">a</a>', '<a>a</a>'],
  ['an image with a data: address', '<img src="data:image/svg+xml,x" alt="a">', '<img alt="a" />'],
  ['an image address without TLS', '<img src="http://example.test/x.png" alt="a">', '<img alt="a" />'],
  ['an address without a scheme', '<a href="//evil.example/">a</a>', '<a>a</a>'],
  ['a frame', '<iframe src="https://evil.example/">a</iframe>b', 'b'],
  ['a form', '<form action="/me"><input name="a">text</form>', 'text'],
  ['a style, a class and an id', '<p style="position:fixed" class="modal" id="app">a</p>', '<p>a</p>'],
  ['a comment', 'a<!-- <b> -->b', 'ab'],
  ['an SVG element', '<svg><style><img src=x onerror=alert(1)></style></svg>b', 'b'],
  ['an attribute that contains tags', '<noscript><p title="</noscript><img src=x onerror=alert(1)>">', ''],
  ['control characters', 'a\u0000b\r\nc', 'ab\nc'],
  ['a lone surrogate', 'a\ud83d', 'a\ufffd'],
])('sanitizing an article removes %s', (_, html, rest) => {
  const sanitized = sanitizeArticle(html);
  if (rest === '') expect(sanitized).not.toMatch(/onerror=alert/);
  else expect(sanitized).toBe(rest);
});

const hostile = (
  `<p>|</p>|<b|>|<a href="|">|'|javascript:|&#106;|<script>|</script>|<!--|-->|<img src=x |onerror=alert(1)|<svg |/onload=|<math>|` +
  `<style>|</style>|&lt;|&amp;|\u0000|<![CDATA[|]]>|<?x|<textarea>|</textarea>|<title>|data:text/html,|text|"|=| `
).split('|');

test('a sanitized article contains no script elements, event handlers or javascript: addresses', () => {
  const pieces = fc.constantFrom(...hostile);
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      const once = sanitizeArticle(parts.join('')) ?? '';
      expect(once).not.toMatch(/<(?:script|style|svg|math|iframe|object|textarea)/i);
      for (const [tag] of once.matchAll(/<[a-z][^>]*>/gi)) {
        expect(tag).not.toMatch(/^<[^"]*(?:"[^"]*"[^"]*)*\son\w+=/i);
        expect(tag).not.toMatch(/(?:href|src|cite)="\s*(?:javascript|data):/i);
      }
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['nested elements', '<b>'],
  ['angle brackets', '<'],
  ['unclosed attributes', '<a href="'],
  ['unclosed comments', '<!--'],
  ['unclosed scripts', '<script>'],
  ['table rows', '<table><tr>'],
  ['closing tags', '</p>'],
])('half a megabyte of %s is sanitized within 2 s', (_, piece) => {
  const text = piece.repeat(Math.ceil(524_288 / piece.length));
  expect(cpuMsOf(() => sanitizeArticle(text))).toBeLessThan(2000);
});

test('an article with more than 500 levels is refused', () => {
  expect(sanitizeArticle('<b>'.repeat(501))).toBeNull();
  expect(sanitizeArticle(`${'<b>'.repeat(60)}deep`)).toContain('deep');
});

test.each([
  ['', true],
  ['<p> &nbsp;<br /></p>', true],
  ['<img src="https://example.test/x.png" />', false],
  ['<p>a</p>', false],
])('the article %j is blank: %s', (html, isBlank) => {
  expect(isBlankArticle(html)).toBe(isBlank);
});
