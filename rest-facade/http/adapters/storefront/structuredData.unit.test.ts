import { trustedData } from './structuredData.ts';

test('a text in structured data cannot end its script element', () => {
  const { text } = trustedData({ name: '</script><script>alert(1)</script>' });
  expect(text.match(/<\/?script/g)).toEqual(['<script', '</script']);
  const json = text.slice(text.indexOf('>') + 1, text.lastIndexOf('<'));
  expect(JSON.parse(json)).toEqual({
    '@context': 'https://schema.org',
    name: '</script><script>alert(1)</script>',
  });
});
