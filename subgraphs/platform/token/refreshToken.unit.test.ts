import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { newId } from '../ids/newId.ts';
import { decodeRefreshToken, encodeRefreshToken } from './refreshToken.ts';

const key = randomBytes(32);
const sessionId = newId('session');
const counters = fc.integer({ min: 0, max: 2 ** 40 - 1 });

test('what was encoded decodes to the same session and counter', () => {
  fc.assert(
    fc.property(counters, (counter) => {
      const text = encodeRefreshToken(key, { sessionId, counter });
      expect(text).toHaveLength(64);
      expect(decodeRefreshToken(key, text)).toEqual({ sessionId, counter });
    }),
  );
});

test('the counter goes from 0 to 2^40 - 1', () => {
  for (const counter of [0, 2 ** 40 - 1]) {
    expect(decodeRefreshToken(key, encodeRefreshToken(key, { sessionId, counter }))).toEqual({
      sessionId,
      counter,
    });
  }
});

test('the same counter gives the same token again, another counter another token', () => {
  const token = encodeRefreshToken(key, { sessionId, counter: 7 });
  expect(encodeRefreshToken(key, { sessionId, counter: 7 })).toBe(token);
  expect(encodeRefreshToken(key, { sessionId, counter: 8 })).not.toBe(token);
});

test('any changed character makes it forged', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. ';
  const token = encodeRefreshToken(key, { sessionId, counter: 3 });
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom(...alphabet.split('')), (position, character) => {
      fc.pre(token[position] !== character);
      const forged = token.slice(0, position) + character + token.slice(position + 1);
      expect(decodeRefreshToken(key, forged)).toBeNull();
    }),
    { numRuns: 2000 },
  );
});

test('the key of another deployment makes it forged', () => {
  expect(decodeRefreshToken(randomBytes(32), encodeRefreshToken(key, { sessionId, counter: 0 }))).toBeNull();
});

test('a later version, even with a right code, is not read as this one', () => {
  const body = Buffer.from(encodeRefreshToken(key, { sessionId, counter: 0 }), 'base64url').subarray(0, 32);
  body[0] = 2;
  const code = createHmac('sha256', key).update(body).digest().subarray(0, 16);
  expect(decodeRefreshToken(key, Buffer.concat([body, code]).toString('base64url'))).toBeNull();
});

test.each([
  ['nothing', ''],
  ['padding', `${'A'.repeat(63)}=`],
  ['a longer text', 'A'.repeat(65)],
  ['a line end', `${'A'.repeat(64)}\n`],
  ['a megabyte', 'A'.repeat(1 << 20)],
])('%s is null, not an exception', (_, text) => {
  expect(decodeRefreshToken(key, text)).toBeNull();
});

test('a value that is no text is null', () => {
  expect(decodeRefreshToken(key, ['A'.repeat(64)] as unknown as string)).toBeNull();
});

test.each([-1, 0.5, Number.NaN, 2 ** 40])('the counter %d cannot be encoded', (counter) => {
  expect(() => encodeRefreshToken(key, { sessionId, counter })).toThrow(RangeError);
});

test('only the id of a session can be encoded', () => {
  expect(() => encodeRefreshToken(key, { sessionId: newId('user'), counter: 0 })).toThrow(RangeError);
});
