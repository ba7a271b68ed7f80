import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { newId } from '../ids/newId.ts';
import { decodeRefreshToken, encodeRefreshToken } from './refreshToken.ts';

const key = randomBytes(32);
const sessionId = newId('session');
const most = 2 ** 40 - 1;
const encode = (counter: number) => encodeRefreshToken(key, { sessionId, counter });

test('a refresh token decodes to its session and counter, from 0 to 2^40 - 1', () => {
  const counters = fc.oneof(fc.constantFrom(0, most), fc.integer({ min: 0, max: most }));
  fc.assert(
    fc.property(counters, (counter) => {
      expect(encode(counter)).toHaveLength(64);
      expect(decodeRefreshToken(key, encode(counter))).toEqual({ sessionId, counter });
    }),
  );
});

test('a session has one refresh token for each counter', () => {
  expect(encode(7)).toBe(encode(7));
  expect(encode(8)).not.toBe(encode(7));
});

test('a refresh token with a changed character decodes to null', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. ';
  const token = encode(3);
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom(...alphabet.split('')), (position, character) => {
      fc.pre(token[position] !== character);
      const forged = token.slice(0, position) + character + token.slice(position + 1);
      expect(decodeRefreshToken(key, forged)).toBeNull();
    }),
    { numRuns: 2000 },
  );
});

test('a refresh token of another key decodes to null', () => {
  expect(decodeRefreshToken(randomBytes(32), encode(0))).toBeNull();
});

test('a refresh token of a later version decodes to null, even with a valid code', () => {
  const body = Buffer.from(encode(0), 'base64url').subarray(0, 32);
  body[0] = 2;
  const code = createHmac('sha256', key).update(body).digest().subarray(0, 16);
  expect(decodeRefreshToken(key, Buffer.concat([body, code]).toString('base64url'))).toBeNull();
});

test.each([
  ['a value that is not a string', ['A'.repeat(64)] as unknown as string],
  ['an empty text', ''],
  ['a text with padding', `${'A'.repeat(63)}=`],
  ['a longer text', 'A'.repeat(65)],
  ['a text with a line end', `${'A'.repeat(64)}\n`],
  ['a text of a megabyte', 'A'.repeat(1 << 20)],
])('%s decodes to null', (_, text) => {
  expect(decodeRefreshToken(key, text)).toBeNull();
});

test.each([-1, 0.5, Number.NaN, most + 1])(
  'the counter %d is refused with an error that states the range',
  (counter) => {
    expect(() => encode(counter)).toThrow('an integer from 0 to 1099511627775.');
  },
);

test('the id of a record that is not a session is refused', () => {
  expect(() => encodeRefreshToken(key, { sessionId: newId('user'), counter: 0 })).toThrow(RangeError);
});
