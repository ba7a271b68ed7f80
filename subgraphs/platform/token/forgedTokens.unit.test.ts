import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import fc from 'fast-check';
import { createForge, forged, refusalOf, toSegment } from '../../../test/support/people/forgeTokens.ts';
import { newId } from '../ids/newId.ts';
import { verifyToken } from './verifyToken.ts';

const forge = createForge();
const { header, payload, options, token, es256, record } = forge;
const genuine = token();
const [genuineHeader = '', genuinePayload = '', genuineSignature = ''] = genuine.split('.');
const segments = (...parts: string[]): string => parts.join('.');
const withHeader = (members: object | string, signer = es256): string => token({ header: members, signer });
const spelled = JSON.stringify(header);
const omit = (name: string): object =>
  Object.fromEntries(Object.entries(header).filter(([member]) => member !== name));

/** The same 64 bytes with another last character, whose lowest four bits are unused. */
const withUnusedBits = genuine.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1));

const shapes = [
  ...forged('token_malformed', 'segments', {
    'one segment': 'abcd',
    'two segments': segments(genuineHeader, genuinePayload),
    'four segments': segments(genuine, 'abcd'),
    'a trailing dot': segments(genuine, ''),
    'the five segments of an encrypted token': 'a.b.c.d.e',
    'only dots': '..',
    'an empty header segment': segments('', genuinePayload, genuineSignature),
    'an empty payload': segments(genuineHeader, '', genuineSignature),
    'no signature': segments(genuineHeader, genuinePayload, ''),
  }),
  ...forged('token_malformed', 'encoding', {
    padding: `${genuine}==`,
    'plain base64': segments(genuineHeader, genuinePayload, '+/'.repeat(43)),
    'unused bits in the signature': withUnusedBits,
    'a character that lenient decoders skip': segments(`${genuineHeader}~`, genuinePayload, genuineSignature),
    'a signature of an impossible length': `${genuine}AAA`,
  }),
  ...forged('token_malformed', 'header', {
    'a header that is not JSON': withHeader('no json'),
    'a header that is a list': withHeader([header]),
    'a header that is null': withHeader('null'),
    'a header that is a string': withHeader('"ES256"'),
    'a header with a byte order mark': withHeader(`\uFEFF${spelled}`),
  }),
  ...forged('token_malformed', 'size', {
    'a valid signature and more than 8 KiB': token({ payload: { ...payload, x: 'x'.repeat(8000) } }),
  }),
];

const extraMembers = {
  crit: ['exp'],
  jku: 'https://attacker.example/keys',
  jwk: record.publicJwk,
  x5u: 'https://attacker.example/chain',
  x5c: ['MIIB'],
  x5t: 'abc',
  b64: false,
  zip: 'DEF',
  cty: 'JWT',
  enc: 'A128GCM',
  nonce: 'abc',
  ['__proto__']: { typ: 'at+jwt' },
  Alg: 'none',
};

const headers = [
  ...Object.entries(extraMembers).flatMap(([name, value]) =>
    forged('token_invalid', 'header', {
      [`a header with ${name}`]: withHeader(`{"${name}":${JSON.stringify(value)},${spelled.slice(1)}`),
    }),
  ),
  ...forged('token_invalid', 'header', {
    'a header without alg': withHeader(omit('alg')),
    'a header without kid': withHeader(omit('kid')),
    'a list as alg': withHeader({ ...header, alg: ['ES256'] }),
    'an object as kid': withHeader({ ...header, kid: { $ne: null } }),
    'a number as typ': withHeader({ ...header, typ: 1 }),
    'a kid of 1,000 characters': withHeader({ ...header, kid: 'a'.repeat(1000) }),
  }),
  ...['JWT', 'id+jwt', 'AT+JWT', 'application/at+jwt', 'at+jwt ', 'dpop+jwt', 'logout+jwt', ''].flatMap(
    (typ) => forged('token_invalid', 'type', { [`typ "${typ}"`]: withHeader({ ...header, typ }) }),
  ),
  ...forged('token_invalid', 'type', { 'a header without typ': withHeader(omit('typ')) }),
  ...forged('token_invalid', 'spelling', {
    'a header that is not written canonically': withHeader(` ${spelled}`),
    'an escaped letter in the header': withHeader(spelled.replace('ES256', 'ES25\\u0036')),
    'two alg members, of which the last one is valid': withHeader(`{"alg":"none",${spelled.slice(1)}`),
    'two kid members, of which the last one is valid': withHeader(`{"kid":"x",${spelled.slice(1)}`),
  }),
];

const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
const spki = (format: 'pem' | 'der') =>
  createPublicKey(forge.privateKey).export({ type: 'spki', format: format as 'pem' });
const hmac = (secret: string | Buffer) => (input: string) =>
  createHmac('sha256', secret).update(input).digest();
const withKey = (hash: string, key: KeyObject) => (input: string) =>
  sign(hash, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
const withAlgorithm = (alg: string, signer = es256): string => withHeader({ ...header, alg }, signer);

const algorithms = [
  ...forged('token_invalid', 'algorithm', {
    'alg none and a valid ES256 signature': withAlgorithm('none'),
    'alg None': withAlgorithm('None'),
    'alg es256': withAlgorithm('es256'),
    'HS256 with the public key in PEM': withAlgorithm('HS256', hmac(spki('pem'))),
    'HS256 with the public key in DER': withAlgorithm('HS256', hmac(spki('der'))),
    'HS256 with the public key as JWK': withAlgorithm('HS256', hmac(JSON.stringify(record.publicJwk))),
    'HS256 with a coordinate': withAlgorithm('HS256', hmac(Buffer.from(record.publicJwk.x, 'base64url'))),
    'HS256 with an empty secret': withAlgorithm('HS256', hmac('')),
    RS256: withAlgorithm('RS256', withKey('sha256', rsa)),
    PS256: withAlgorithm('PS256', withKey('sha256', rsa)),
    ES384: withAlgorithm('ES384', withKey('sha384', p384)),
    EdDSA: withAlgorithm('EdDSA'),
  }),
  ...forged('token_malformed', 'segments', {
    'alg none without signature': withAlgorithm('none', () => Buffer.alloc(0)),
  }),
];

const withKid = (kid: string): string => withHeader({ ...header, kid });
const signedAs = (signature: Buffer): string => token({ signer: () => signature });
const anotherPayload = toSegment({ ...payload, sub: newId('user') });
const right = Buffer.from(genuineSignature, 'base64url');
const zero = Buffer.alloc(32);
const one = Buffer.concat([Buffer.alloc(31), Buffer.of(1)]);
const order = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex');

const signatures = [
  ...forged('token_invalid', 'key', {
    'a kid that is not a thumbprint': withKid('key-1'),
    'an empty kid': withKid(''),
    'a path as kid': withKid('../../../../dev/null'),
    'SQL in the kid': withKid("x' UNION SELECT 'AA'; --"),
    'the name of an inherited object member as kid': withKid('__proto__'),
    'the thumbprint of an unknown key': withKid('A'.repeat(43)),
  }),
  ...forged('token_invalid', 'verification', {
    'the signature of an unknown key': withHeader(header, (input) => es256(input, stranger)),
    'the signature of a key of another curve': withAlgorithm('ES256', withKey('sha256', p384)),
    'the signature of an RSA key': withAlgorithm('ES256', withKey('sha256', rsa)),
    'another payload than the signed one': segments(genuineHeader, anotherPayload, genuineSignature),
    'a signature over the payload only': signedAs(es256(genuinePayload)),
    'a signature in DER': token({
      signer: (input) => sign('sha256', Buffer.from(input), forge.privateKey),
    }),
    'a signature of zeros': signedAs(Buffer.alloc(64)),
    'r = 0, s = 1': signedAs(Buffer.concat([zero, one])),
    'r = 1, s = 0': signedAs(Buffer.concat([one, zero])),
    'r = s = 1': signedAs(Buffer.concat([one, one])),
    'r = s = the order of the curve': signedAs(Buffer.concat([order, order])),
    'a signature without its first byte': signedAs(right.subarray(1)),
    'a signature followed by a zero byte': signedAs(Buffer.concat([right, Buffer.alloc(1)])),
    'a signature of one byte': signedAs(Buffer.of(1)),
  }),
];

beforeAll(() => verifyToken(`Bearer ${genuine}`, options));

const rows = [...shapes, ...headers, ...algorithms, ...signatures];
test.each(rows)('a token with %s is refused', async (_, authorization, code, rule) => {
  expect(await refusalOf(authorization, options)).toMatchObject({ code, cause: rule });
});

test('a genuine token with one changed byte is refused', async () => {
  const changes = fc.tuple(fc.nat(genuine.length - 1), fc.integer({ min: 1, max: 255 }));
  await fc.assert(
    fc.asyncProperty(changes, async ([position, difference]) => {
      const bytes = Buffer.from(genuine, 'latin1');
      bytes[position] = ((bytes[position] ?? 0) + difference) % 256;
      const { code } = await refusalOf(`Bearer ${bytes.toString('latin1')}`, options);
      expect(['token_malformed', 'token_invalid', 'ambiguous_credentials']).toContain(code);
    }),
    { numRuns: 3000 },
  );
});

test('an Authorization header of random pieces is refused with 400 or 401', async () => {
  const separators = ['Bearer ', '.', '=', ', ', '\0', '{"alg":'];
  const pieces = fc.constantFrom(...separators, genuineHeader, genuinePayload, genuineSignature);
  const piece = fc.oneof(pieces, fc.string({ unit: 'binary' }));
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 9 }), async (parts) => {
      const text = parts.join('');
      fc.pre(text !== `Bearer ${genuine}`);
      expect([400, 401]).toContain((await refusalOf(text, options)).status);
    }),
    { numRuns: 2000 },
  );
});
