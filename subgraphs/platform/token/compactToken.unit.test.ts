import { createForge } from '../../../test/support/people/forgeTokens.ts';
import { isSpellingOf, readCompactToken, verifyCompactToken } from './compactToken.ts';
import { toVerificationKeys, type VerificationKey } from './VerificationKey.ts';

const { token, header, payload, record, nowSeconds, es256 } = createForge();
const key = toVerificationKeys([record.publicJwk], ['ES256']).get(record.kid) as VerificationKey;
const verified = (text: string, by: VerificationKey = key): unknown =>
  verifyCompactToken(readCompactToken(text), by, { nowSeconds });

test('a header with spaces and another order of members is accepted', () => {
  const { alg, kid } = header;
  expect(verified(token({ header: ` { "kid" : "${kid}",\n "alg" : "${alg}" }` }))).toEqual(payload);
});

test('a payload that is not JSON is returned as text', () => {
  expect(verified(token({ payload: 'plain' }))).toBe('plain');
});

test('a token that names another key is refused, even if its signature is valid', () => {
  expect(() => verified(token(), { ...key, kid: 'other' })).toThrow(
    expect.objectContaining({ code: 'token_invalid', cause: 'key' }),
  );
});

test('a token whose algorithm differs from that of its key is refused', () => {
  const asHmac = token({ header: { ...header, alg: 'HS256' }, signer: es256 });
  expect(() => verified(asHmac)).toThrow(
    expect.objectContaining({ code: 'token_invalid', cause: 'algorithm' }),
  );
  expect(() => verified(token(), { ...key, algorithm: 'ES384' })).toThrow(
    expect.objectContaining({ cause: 'algorithm' }),
  );
});

test('a kid of 200 characters is accepted, and one of 201 is refused', () => {
  const named = (length: number): string => token({ header: { ...header, kid: 'k'.repeat(length) } });
  expect(readCompactToken(named(200)).header.kid).toHaveLength(200);
  expect(() => readCompactToken(named(201))).toThrow(expect.objectContaining({ cause: 'header' }));
});

test('a token of another issuer is refused if the verification states an issuer', () => {
  const read = readCompactToken(token());
  expect(verifyCompactToken(read, key, { nowSeconds, issuer: payload.iss })).toEqual(payload);
  expect(() => verifyCompactToken(read, key, { nowSeconds, issuer: 'https://other.example' })).toThrow(
    expect.objectContaining({ code: 'token_invalid', cause: 'verification' }),
  );
});

test('isSpellingOf returns false for a value that JSON cannot represent', () => {
  expect(isSpellingOf('e30', {})).toBe(true);
  expect(isSpellingOf('e30', undefined)).toBe(false);
});
