import { readDocument } from '../html/readDocument.ts';
import { classifyLinks } from './classifyLinks.ts';

const permalink = 'https://www.auto.example/cars/bmw/';

function classify(tag: string, base: string | null = permalink) {
  return classifyLinks(readDocument(`${tag}text</a>`), base)[0];
}

describe('where a link leads', () => {
  test.each([
    ['/cars', 'internal'],
    ['cars?page=2', 'internal'],
    ['//auto.example/x', 'internal'],
    ['HTTPS://AUTO.example/x', 'internal'],
    ['https://shop.auto.example/x', 'outbound'],
    ['//other.example', 'outbound'],
    ['http://other.example', 'outbound'],
    ['#top', 'fragment'],
    ['mailto:a@b.example', 'other'],
    ['tel:+49', 'other'],
    ['javascript:void(0)', 'uncrawlable'],
    [' JavaScript:x', 'uncrawlable'],
    ['', 'uncrawlable'],
    ['http://', 'uncrawlable'],
  ])('%s is %s', (href, kind) => {
    expect(classify(`<a href="${href}">`)?.kind).toBe(kind);
  });

  test('without a permalink a full address is outbound and a relative one internal', () => {
    expect(classify('<a href="https://auto.example/x">', null)?.kind).toBe('outbound');
    expect(classify('<a href="/x">', null)?.kind).toBe('internal');
  });

  test('an anchor to jump to is no link, one without any address is a broken one', () => {
    expect(classify('<a name="x">')).toBeUndefined();
    expect(classify('<a>')?.kind).toBe('uncrawlable');
  });

  test.each(['nofollow', 'sponsored', 'UGC noopener'])('rel=%s is not followed', (rel) => {
    expect(classify(`<a href="/x" rel="${rel}">`)?.followed).toBe(false);
    expect(classify('<a href="/x" rel="noopener">')?.followed).toBe(true);
  });

  test('the page itself is recognised in any spelling', () => {
    for (const href of ['#x', '/cars/bmw', 'https://auto.example/cars/bmw/#top', './']) {
      expect([href, classify(`<a href="${href}">`)?.toSelf]).toEqual([href, true]);
    }
    expect(classify('<a href="/cars/bmw?color=red">')?.toSelf).toBe(false);
  });
});
