import { hasPlaceholder, Redactor } from './Redactor.ts';

test.each([
  ['email', 'Write to jana.muster+sale@example.co.uk today', 'Write to [EMAIL_1] today'],
  ['email', 'Mail: jana (at) example.com', 'Mail: [EMAIL_1]'],
  ['phone', 'Call +49 89 1234567 now', 'Call [PHONE_1] now'],
  ['phone', 'Call 089/123 45 67 now', 'Call [PHONE_1] now'],
  ['phone', 'Call (089) 1234567.', 'Call [PHONE_1].'],
  ['phone', 'Tel. 0049 (0) 89 / 123456-78', 'Tel. [PHONE_1]'],
  ['phone', 'Tél. 01 23 45 67 89', 'Tél. [PHONE_1]'],
  ['iban', 'IBAN DE89 3704 0044 0532 0130 00 please', 'IBAN [IBAN_1] please'],
  ['card', 'Card 4111 1111 1111 1111 ends', 'Card [CARD_1] ends'],
  ['vin', 'VIN WBA8E9G50GNT12345 is known', 'VIN [VIN_1] is known'],
  ['plate', 'It drives as M-AB 1234 now', 'It drives as [PLATE_1] now'],
  ['plate', 'Kennzeichen: M AB 1234', 'Kennzeichen: [PLATE_1]'],
  ['ip', 'from 192.0.2.17 on', 'from [IP_1] on'],
  ['ip', 'from 2001:db8::17 on', 'from [IP_1] on'],
  ['key', 'token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP here', 'token [KEY_1] here'],
  ['key', 'key sk-proj-abcdefghijklmnop1234 here', 'key [KEY_1] here'],
  ['key', 'secret aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW here', 'secret [KEY_1] here'],
  [
    'url_query',
    'see https://shop.example/cars?user=jana&id=7 now',
    'see https://shop.example/cars[URL_QUERY_1] now',
  ],
  ['coordinates', 'at 48.137154, 11.576124 in town', 'at [COORDINATES_1] in town'],
  ['address', 'Come to Leopoldstraße 12a, 80802 München today', 'Come to [ADDRESS_1] today'],
  ['address', 'Come to 80802 München, Leopoldstr. 12 today', 'Come to [ADDRESS_1] today'],
  ['address', 'Seen at 221b Baker Street, London 12345 today', 'Seen at [ADDRESS_1] today'],
  ['address', 'Viens au 12 rue de la Paix, 75002 Paris demain', 'Viens au [ADDRESS_1] Paris demain'],
])('%s: "%s" leaves as "%s"', (kind, text, expected) => {
  const redactor = new Redactor();
  expect(redactor.redact(text)).toBe(expected);
  expect(redactor.counts).toEqual({ [kind]: 1 });
});

test.each([
  'A BMW 320d Touring of 2019 with 123,456 km for 18,900 EUR.',
  'Ein VW ID 3 mit 204 PS, 0-100 km/h in 7,3 s, Verbrauch 5.1 l/100 km.',
  'First registered in 03/2019, next inspection 05/2026, price 18.900 €.',
  'Tyres 225/45 R17 91W, order number 4111 1111 1111 1112.',
  'Version 12.4.1 of the software, at 14:30:15.',
  'Leopoldstraße is a street, and the weather is fine.',
  'Mercedes-Benz E 220 d T-Modell, Audi Q5 45 TFSI quattro.',
])('an ordinary text stays as it is: %s', (text) => {
  const redactor = new Redactor();
  expect(redactor.redact(text)).toBe(text);
});

test('the same value is the same placeholder in every text of a request, however it is written', () => {
  const redactor = new Redactor();
  expect(redactor.redact('jana@example.com and max@example.com')).toBe('[EMAIL_1] and [EMAIL_2]');
  expect(redactor.redact('again JANA@example.com, +49 89 1234567')).toBe('again [EMAIL_1], [PHONE_1]');
  expect(redactor.redact('call +49-89-12345 67')).toBe('call [PHONE_1]');
  expect(redactor.counts).toEqual({ email: 3, phone: 2 });
});

test('known names are replaced as whole words in any case', () => {
  const redactor = new Redactor(['Jana Muster', 'Max', 'A.B (C)']);
  expect(redactor.redact('JANA MUSTER sells, Jana Musterfrau and Max do not, a.b (c) does.')).toBe(
    '[NAME_1] sells, Jana Musterfrau and Max do not, [NAME_2] does.',
  );
});

test('wide digits and invisible characters hide nothing', () => {
  const redactor = new Redactor();
  expect(redactor.redact('Call \uff0b\uff14\uff19 89 12\u200b34\u00ad567 now, jana\u2060@example.com')).toBe(
    'Call [PHONE_1] now, [EMAIL_1]',
  );
});

test('what was redacted is not redacted again', () => {
  const redactor = new Redactor();
  const once = redactor.redact('jana@example.com, +49 89 1234567, Leopoldstraße 12, 80802 München');
  expect(new Redactor().redact(once)).toBe(once);
});

test.each([
  ['a digit', '1'],
  ['a digit and a space', '1 '],
  ['a letter', 'a'],
  ['an at sign', 'a@'],
  ['a dot', 'a.'],
  ['a colon', 'a:'],
  ['a street', 'Astraße 1, '],
  ['a plus sign', '+1'],
  ['a hyphen', 'A-'],
  ['a token', 'eyJ'],
])('64,000 characters of %s are read in linear time', (_, part) => {
  const timeOf = (length: number) => {
    const text = part.repeat(Math.ceil(length / part.length));
    const startedAt = process.cpuUsage();
    new Redactor().redact(text);
    return process.cpuUsage(startedAt).user;
  };
  timeOf(1000);
  // A quadratic pattern takes minutes here; the bound is so wide that no machine is too slow.
  expect(timeOf(64_000)).toBeLessThan(5_000_000);
});

test('a suggestion with a placeholder is recognised, one in brackets of its own is not', () => {
  expect(hasPlaceholder('Call [PHONE_1] now')).toBe(true);
  expect(hasPlaceholder('See [URL_QUERY_12]')).toBe(true);
  expect(hasPlaceholder('BMW [used] 320d [2019]')).toBe(false);
});
