import { formatMoney } from './formatMoney.ts';

const plain = (text: string) => text.replaceAll(/[\u00A0\u202F]/g, ' ');

test.each([
  [123_457, 'EUR', 'en', '€1,234.57'],
  [123_457, 'EUR', 'de', '1.234,57 €'],
  [5, 'USD', 'en', '$0.05'],
  [-250, 'EUR', 'de', '-2,50 €'],
  [1500, 'JPY', 'en', '¥1,500'],
  [1500, 'KWD', 'en', 'KWD 1.500'],
  [150_000, 'HUF', 'en', 'HUF 1,500.00'],
  [0, 'EUR', 'fr', '0,00 €'],
  [Number.MAX_SAFE_INTEGER, 'EUR', 'en', '€90,071,992,547,409.91'],
])('%d minor units of %s in "%s" are written %s', (amount, currency, language, text) => {
  expect(plain(formatMoney({ amount, currency }, language))).toBe(text);
});
