import { createForge } from '../../../test/support/people/forgeTokens.ts';
import { isSpellingOf, readCompactToken, verifyCompactToken } from './compactToken.ts';
import { toVerificationKeys, type VerificationKey } from './VerificationKey.ts';

const { token, header, payload, record, nowSeconds, es256 } = createForge();
const key = toVerificationKeys([record.publicJwk], ['ES256']).get(record.kid) as VerificationKey;
const verified = (text: string, by: VerificationKey = key): unknown =>
  verifyCompactToken(readCompactToken(text), by, { nowSeconds });

test('the header may be written with spaces and in any order: other issuers do', () => {
  const { alg, kid } = header;
  expect(verified(token({ header: ` { "kid" : "${kid}",\n "alg" : "${alg}" }` }))).toEqual(payload);
});

test('a payload that is no JSON comes back as its text', () => {
  expect(verified(token({ payload: 'plain' }))).toBe('plain');
});

test('a key verifies only tokens that name it, even if the signature is its own', () => {
  expect(() => verified(token(), { ...key, kid: 'other' })).toThrow(
    expect.objectContaining({ code: 'token_invalid', cause: 'key' }),
  );
});

test('the key says which algorithm, and a token that says another one is refused', () => {
  const asHmac = token({ header: { ...header, alg: 'HS256' }, signer: es256 });
  expect(() => verified(asHmac)).toThrow(
    expect.objectContaining({ code: 'token_invalid', cause: 'algorithm' }),
  );
  expect(() => verified(token(), { ...key, algorithm: 'ES384' })).toThrow(
    expect.objectContaining({ cause: 'algorithm' }),
  );
});

test('a kid may have 200 characters', () => {
  const named = (length: number): string => token({ header: { ...header, kid: 'k'.repeat(length) } });
  expect(readCompactToken(named(200)).header.kid).toHaveLength(200);
  expect(() => readCompactToken(named(201))).toThrow(expect.objectContaining({ cause: 'header' }));
});

test('the issuer is compared when one is named', () => {
  const read = readCompactToken(token());
  expect(verifyCompactToken(read, key, { nowSeconds, issuer: payload.iss })).toEqual(payload);
  expect(() => verifyCompactToken(read, key, { nowSeconds, issuer: 'https://other.example' })).toThrow(
    expect.objectContaining({ code: 'token_invalid', cause: 'verification' }),
  );
});

test('a value that has no spelling in JSON is the value of no segment', () => {
  expect(isSpellingOf('e30', {})).toBe(true);
  expect(isSpellingOf('e30', undefined)).toBe(false);
});
