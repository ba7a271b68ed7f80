import { html, joined, trusted } from './html.ts';

test('an HTML template escapes texts in content, attributes and lists', () => {
  const text = `<b title="a">'&`;
  const escaped = '&#60;b title=&#34;a&#34;&#62;&#39;&#38;';
  expect(html`<p title="${text}">${text}</p>`.text).toBe(`<p title="${escaped}">${escaped}</p>`);
  expect(html`<ul>${[text, 1]}</ul>`.text).toBe(`<ul>${escaped}\n1</ul>`);
});

test('an HTML template does not escape HTML values, also in lists', () => {
  const items = ['<', '>'].map((text) => html`<li>${text}</li>`);
  expect(html`${items}${trusted('<br>')}${joined(items, ', ')}`.text).toBe(
    '<li>&#60;</li>\n<li>&#62;</li><br><li>&#60;</li>, <li>&#62;</li>',
  );
});
