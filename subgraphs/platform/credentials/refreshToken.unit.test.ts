import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { newId } from '../ids/newId.ts';
import { decodeRefreshToken, encodeRefreshToken } from './refreshToken.ts';

const key = randomBytes(32);
const sessionId = newId('session');
const most = 2 ** 40 - 1;
const encode = (counter: number) => encodeRefreshToken(key, { sessionId, counter });

test('a token decodes to its session and counter, from 0 to 2^40 - 1', () => {
  const counters = fc.oneof(fc.constantFrom(0, most), fc.integer({ min: 0, max: most }));
  fc.assert(
    fc.property(counters, (counter) => {
      expect(encode(counter)).toHaveLength(64);
      expect(decodeRefreshToken(key, encode(counter))).toEqual({ sessionId, counter });
    }),
  );
});

test('a counter always has the same token, and another counter another one', () => {
  expect(encode(7)).toBe(encode(7));
  expect(encode(8)).not.toBe(encode(7));
});

test('a token with a changed character is forged', () => {
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

test('a token of another key is forged', () => {
  expect(decodeRefreshToken(randomBytes(32), encode(0))).toBeNull();
});

test('a later version is not read as this one, even with a valid code', () => {
  const body = Buffer.from(encode(0), 'base64url').subarray(0, 32);
  body[0] = 2;
  const code = createHmac('sha256', key).update(body).digest().subarray(0, 16);
  expect(decodeRefreshToken(key, Buffer.concat([body, code]).toString('base64url'))).toBeNull();
});

test.each([
  ['no text', ['A'.repeat(64)] as unknown as string],
  ['an empty text', ''],
  ['padding', `${'A'.repeat(63)}=`],
  ['a longer text', 'A'.repeat(65)],
  ['a line end', `${'A'.repeat(64)}\n`],
  ['a megabyte', 'A'.repeat(1 << 20)],
])('%s decodes to null', (_, text) => {
  expect(decodeRefreshToken(key, text)).toBeNull();
});

test.each([-1, 0.5, Number.NaN, most + 1])(
  'the counter %d cannot be encoded, and the error names the range',
  (counter) => {
    expect(() => encode(counter)).toThrow('an integer from 0 to 1099511627775.');
  },
);

test('the id of another record cannot be encoded', () => {
  expect(() => encodeRefreshToken(key, { sessionId: newId('user'), counter: 0 })).toThrow(RangeError);
});
