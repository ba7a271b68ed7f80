import fc from 'fast-check';
import { DomUtils, parseDocument } from 'htmlparser2';
import { readWords } from '../text/readWords.ts';
import { toWordForm } from '../text/toWordForm.ts';
import { readDocument } from './readDocument.ts';

/** What a slice of HTML says, read by another path than the one under test. */
function spokenBy(slice: string): string {
  return DomUtils.innerText(parseDocument(slice).children);
}

function wordsOf(html: string): { form: string; slice: string }[] {
  const document = readDocument(html);
  return readWords(document.text, 'en').map((word) => {
    const { start, end } = document.positions.toHtmlRange(word.start, word.end);
    return { form: word.form, slice: html.slice(start, end) };
  });
}

describe('text', () => {
  test.each([
    ['tags inside a word do not split it', 'w<b>or</b>d', ['word']],
    ['a comment inside a word does not split it', 'wo<!-- x -->rd', ['word']],
    ['block elements split words', 'one<div>two</div>three', ['one', 'two', 'three']],
    ['an unknown element is inline', 'o<my-el>n</my-el>e', ['one']],
    ['a line break splits words', 'one<br>two', ['one', 'two']],
    ['an image splits words', 'one<img src=x>two', ['one', 'two']],
    [
      'a soft hyphen and <wbr> do not split a word',
      'sports&shy;car sports<wbr>car',
      ['sportscar', 'sportscar'],
    ],
    [
      'named, decimal and hexadecimal entities are letters',
      'caf&eacute; caf&#233; caf&#xE9;',
      ['café', 'café', 'café'],
    ],
    ['an entity without its semicolon is read as browsers do', 'a&ampb', ['a', 'b']],
    [
      'script, style, template and noscript are not text',
      '<script>a</script><style>b</style><template>c<template>d</template></template><noscript>e</noscript>f',
      ['f'],
    ],
    [
      'form controls, drawings and formulas are not text',
      '<select><option>a</select><textarea>b</textarea><svg><title>c</title><![CDATA[d]]></svg><math><mi>x</mi></math>e',
      ['e'],
    ],
    ['CDATA in HTML is a comment', 'a<![CDATA[ b ]]>c', ['ac']],
    ['an unclosed comment hides the rest', 'a <!-- b', ['a']],
    ['a lone < is text', '1 < 2 and 3 <4', ['1', '2', 'and', '3', '4']],
    ['a tag that the end cuts off is not text', 'a </b c', ['a']],
    ['a self-closing tag that the end cuts off is not text', 'a <b /', ['a']],
    ['a self-closed svg hides nothing', 'a <svg/> b', ['a', 'b']],
    ['a doctype and a processing instruction are not text', '<!DOCTYPE html><?xml v?>a', ['a']],
  ])('%s', (_title, html, expected) => {
    expect(wordsOf(html).map((word) => word.form)).toEqual(expected);
  });

  test('whitespace of the source ends no sentence, a preformatted line does', () => {
    expect(readDocument('one\n\ttwo').text).toContain('one  two');
    expect(readDocument('<pre>one\ntwo</pre>').text).toContain('one\u2028two');
  });
});

describe('blocks', () => {
  const kinds = (html: string) => readDocument(html).blocks.map((block) => block.kind);
  const texts = (html: string) => {
    const document = readDocument(html);
    return document.blocks.map((block) => document.text.slice(block.start, block.end));
  };

  test('each block is trimmed and blank ones are left out', () => {
    expect(texts('<p> one </p><p>&nbsp;</p>\n<p>two</p>')).toEqual(['one', 'two']);
  });

  test('a paragraph inside a list item or a cell belongs to it', () => {
    expect(kinds('<ul><li><p>a</p></ul><table><td><p>b</p></table><h2>c</h2>d')).toEqual([
      'listItem',
      'cell',
      'heading',
      'paragraph',
    ]);
  });

  test('two line breaks in a row end a paragraph, one does not', () => {
    expect(texts('a<br>b<br> <br>c')).toEqual(['a\u2028b', 'c']);
  });

  test('unclosed paragraphs and list items end where the next begins', () => {
    expect(texts('<p>a<p>b<ul><li>c<li>d</ul>e')).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test.each([
    ['a style', '<p style="color:red; text-align : center">x</p>', true],
    ['an attribute', '<div align=CENTER>x</div>', true],
    ['the element', '<center><p>x</p></center>', true],
    ["the block editor's class", '<p class="wp has-text-align-center">x</p>', true],
    ['inheritance', '<div style="text-align:center"><p>x</p></div>', true],
    [
      'an override by the inner block',
      '<div style="text-align:center"><p style="text-align:left">x</p></div>',
      false,
    ],
    ['a paragraph that an unclosed centred one precedes', '<p align=center>a<p>x', false],
  ])('alignment is known from %s', (_title, html, centred) => {
    expect(readDocument(html).blocks.at(-1)?.centred).toBe(centred);
  });
});

describe('headings, links, images', () => {
  test('a heading carries level, collapsed text and the place of its tags', () => {
    const html = 'x<h2 id="a">Used\n <em>cars</em></h2>';
    const [heading] = readDocument(html).headings;
    expect(heading).toMatchObject({ level: 2, text: 'Used cars' });
    expect(html.slice(heading?.htmlStart, heading?.htmlEnd)).toBe('<h2 id="a">Used\n <em>cars</em></h2>');
  });

  test('a heading with only an image is named by its alternative text', () => {
    expect(readDocument('<h1><img src=a alt=Logo></h1>').headings[0]?.text).toBe('Logo');
  });

  test('a heading inside a heading ends the outer one', () => {
    const headings = readDocument('<h2>a<div>b<h3>c</h3></div></h2>').headings;
    expect(headings.map(({ level, text }) => [level, text])).toEqual([
      [2, 'a b'],
      [3, 'c'],
    ]);
  });

  test('a link carries its decoded address, rel tokens, text and place', () => {
    const html = '<a HREF="/x?a=1&amp;b=2" rel="NoFollow ugc">see <b>this</b></a>';
    const [link] = readDocument(html).links;
    expect(link).toMatchObject({ href: '/x?a=1&b=2', text: 'see this', htmlStart: 0, htmlEnd: html.length });
    expect([...(link?.rel ?? [])]).toEqual(['nofollow', 'ugc']);
  });

  test('a second link ends an unclosed one, and an image names a link without text', () => {
    const links = readDocument('<a href=1>one<a href=2><img src=x alt="two"></a>').links;
    expect(links.map((link) => link.text)).toEqual(['one', 'two']);
  });

  test('images keep whether an alternative text was given and whether they are decoration', () => {
    const images = readDocument('<img src=a><img src=b alt=""><img src=c alt=x role=presentation>').images;
    expect(images.map(({ src, alt, decorative }) => [src, alt, decorative])).toEqual([
      ['a', null, false],
      ['b', '', false],
      ['c', 'x', true],
    ]);
  });

  test('JSON-LD scripts are kept, other scripts are not', () => {
    const html = '<script type="Application/LD+JSON">{"a":"</b>"}</script><script>{"c":1}</script>';
    expect(readDocument(html).structuredData.map((source) => source.json)).toEqual(['{"a":"</b>"}']);
  });
});

describe('positions', () => {
  test.each([
    ['tags', 'a <i>w</i>o<b>rd</b> z', 'word', 'w</i>o<b>rd'],
    ['entities', '&amp;&lt; caf&eacute; &nbsp;z', 'café', 'caf&eacute;'],
    ['comments', '<!-- word -->x <!----> word', 'word', 'word'],
    ['CDATA', '<![CDATA[ word ]]> x word', 'word', 'word'],
    ['astral characters', '😀 &#x1F600; 𝒳 word', 'word', 'word'],
    ['an entity of two code points', '&nvlt; &NotEqualTilde; word', 'word', 'word'],
    ['an empty closing tag', 'x</>&amp; word', 'word', 'word'],
    ['carriage returns', 'a\r\nb\r\nword', 'word', 'word'],
    ['attributes that look like text', '<p title="word > word">word</p>', 'word', 'word'],
  ])('%s do not shift the place of a word', (_title, html, form, slice) => {
    expect(wordsOf(html)).toContainEqual({ form, slice });
  });

  const words = ['word', 'Straße', 'naïve', '中古車', '😀', "l'auto", '3.5', 'é', ' ', '\n', ', ', '. '];
  const entities = '&amp; &eacute; &#233; &#x1F600; &nbsp; &ampx &bogus; & &#; &nvlt;'.split(' ');
  const tags = '<b> </b> <p> </p> <h2> </h2> <li> <br> <wbr> </a> </div> </> < <3 </ <! <?x?>'.split(' ');
  const elements = ['<img alt="x&amp;y">', '<a href="/x?a&amp;b">', '<div title="a > b">'];
  const hidden = [
    '<!-- c -->',
    '<!---->',
    '<![CDATA[ d ]]>',
    '<script>var a;</script>',
    '<svg><path/></svg>',
  ];
  const piece = fc.oneof(
    ...[words, entities, tags, elements, hidden].map((parts) => fc.constantFrom(...parts)),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
  );

  test('the slice of every word, in any markup, says that word', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const html = pieces.join('');
        let last = 0;
        for (const { form, slice } of wordsOf(html)) {
          expect(toWordForm(spokenBy(slice), 'en')).toBe(form);
          const at = html.indexOf(slice, last);
          expect(at).toBeGreaterThanOrEqual(last);
          last = at;
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
