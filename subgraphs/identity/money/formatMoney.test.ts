import { formatMoney } from './formatMoney.ts';

const plain = (text: string) => text.replaceAll(/[\u00A0\u202F]/g, ' ');

test.each([
  [{ amount: 123_457, currency: 'EUR' }, 'en', '€1,234.57'],
  [{ amount: 123_457, currency: 'EUR' }, 'de', '1.234,57 €'],
  [{ amount: 5, currency: 'USD' }, 'en', '$0.05'],
  [{ amount: -250, currency: 'EUR' }, 'de', '-2,50 €'],
  [{ amount: 1500, currency: 'JPY' }, 'en', '¥1,500'],
  [{ amount: 1500, currency: 'KWD' }, 'en', 'KWD 1.500'],
  [{ amount: 150_000, currency: 'HUF' }, 'en', 'HUF 1,500.00'],
  [{ amount: 0, currency: 'EUR' }, 'fr', '0,00 €'],
  [{ amount: Number.MAX_SAFE_INTEGER, currency: 'EUR' }, 'en', '€90,071,992,547,409.91'],
])('%j in "%s" is %s', (money, language, text) => {
  expect(plain(formatMoney(money, language))).toBe(text);
});
