import { normalizeEmail } from './emailAddress.ts';

test.each([
  ['Some.One@Example.TEST', 'some.one@example.test'],
  ['a+b@xn--bcher-kva.example', 'a+b@xn--bcher-kva.example'],
  ['a@bücher.example', 'a@xn--bcher-kva.example'],
  ['a@пример.example', 'a@xn--e1afmkfd.example'],
])('the address %s is normalized to %s', (text, normalized) => {
  expect(normalizeEmail(text)).toBe(normalized);
});

// The address is stored as written, so a line break in it would end a header of a mail.
test.each([
  'a@exa\nmple.com',
  'a@example.com\r\nBcc: victim@example.com',
  'a@exa\tmple.com',
  'a@example.com/evil',
  'a@example.com?x',
  'a@example.com#x',
  'a@example.com\\x',
  'a@%65xample.com',
  'a@ex\u00adample.com',
  'a@[192.0.2.1]',
  'a@192.0.2.1',
  'a@0x7f.1',
  'a@b',
  'a..b@example.test',
  'a@-example.test',
  `${'x'.repeat(65)}@example.test`,
  'a\n@example.com',
  'ä@example.com',
  '"a b"@example.com',
  'a@example.com, b@example.com',
  '<a@example.com>',
  '@example.com',
  'a@',
  '',
])('the address %j is refused', (text) => {
  expect(normalizeEmail(text)).toBeNull();
});
