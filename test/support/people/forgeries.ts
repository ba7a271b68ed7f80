import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { forged, type Mint, toSegment } from './forgeTokens.ts';

const segments = (...parts: string[]): string => parts.join('.');

const extraMembers = {
  crit: ['exp'],
  jku: 'https://attacker.example/keys',
  jwk: { kty: 'oct', k: 'AAAA' },
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

const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
const hmac = (secret: string | Buffer) => (input: string) =>
  createHmac('sha256', secret).update(input).digest();
const withKey = (hash: string, key: KeyObject) => (input: string) =>
  sign(hash, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
const zero = Buffer.alloc(32);
const one = Buffer.concat([Buffer.alloc(31), Buffer.of(1)]);
const order = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex');

const algorithmOf =
  ({ header, token }: Mint) =>
  (alg: string, signer?: (input: string) => Buffer): string =>
    token({ header: { ...header, alg }, ...(signer && { signer }) });

/** Rows of tokens that are refused before their claims are read, each with the code and the rule of the refusal. */
export function forgedTokens(mint: Mint) {
  return [...shapes(mint), ...headers(mint), ...algorithms(mint), ...signatures(mint)];
}

/** Tokens of another shape than that of a signed token. */
function shapes(mint: Mint) {
  const { header, payload, token } = mint;
  const genuine = token();
  const [genuineHeader = '', genuinePayload = '', genuineSignature = ''] = genuine.split('.');
  const withHeader = (members: object | string): string => token({ header: members });
  const spelled = JSON.stringify(header);
  /** The same 64 bytes with another last character, whose lowest four bits are unused. */
  const withUnusedBits = genuine.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1));

  return [
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
      'a character that lenient decoders skip': segments(
        `${genuineHeader}~`,
        genuinePayload,
        genuineSignature,
      ),
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
}

/** Tokens with invalid headers. */
function headers(mint: Mint) {
  const { header, token } = mint;
  const withHeader = (members: object | string): string => token({ header: members });
  const spelled = JSON.stringify(header);
  const omit = (name: string): object =>
    Object.fromEntries(Object.entries(header).filter(([member]) => member !== name));
  return [
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
}

/** Tokens whose algorithm is not that of their key. */
function algorithms(mint: Mint) {
  const publicJwk = createPublicKey(mint.privateKey).export({ format: 'jwk' });
  const { x = '' } = publicJwk;
  const spki = (format: 'pem' | 'der') =>
    createPublicKey(mint.privateKey).export({ type: 'spki', format: format as 'pem' });
  const withAlgorithm = algorithmOf(mint);

  return [
    ...forged('token_invalid', 'algorithm', {
      'alg none and a valid ES256 signature': withAlgorithm('none'),
      'alg None': withAlgorithm('None'),
      'alg es256': withAlgorithm('es256'),
      'HS256 with the public key in PEM': withAlgorithm('HS256', hmac(spki('pem'))),
      'HS256 with the public key in DER': withAlgorithm('HS256', hmac(spki('der'))),
      'HS256 with the public key as JWK': withAlgorithm('HS256', hmac(JSON.stringify(publicJwk))),
      'HS256 with a coordinate': withAlgorithm('HS256', hmac(Buffer.from(x, 'base64url'))),
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
}

/** Tokens with an invalid key or signature. */
function signatures(mint: Mint) {
  const { header, payload, token, es256 } = mint;
  const genuine = token();
  const [genuineHeader = '', genuinePayload = '', genuineSignature = ''] = genuine.split('.');
  const withAlgorithm = algorithmOf(mint);
  const withKid = (kid: string): string => token({ header: { ...header, kid } });
  const signedAs = (signature: Buffer): string => token({ signer: () => signature });
  const anotherPayload = toSegment({ ...payload, sub: newId('user') });
  const right = Buffer.from(genuineSignature, 'base64url');
  return [
    ...forged('token_invalid', 'key', {
      'a kid that is not a thumbprint': withKid('key-1'),
      'an empty kid': withKid(''),
      'a path as kid': withKid('../../../../dev/null'),
      'SQL in the kid': withKid("x' UNION SELECT 'AA'; --"),
      'the name of an inherited object member as kid': withKid('__proto__'),
      'the thumbprint of an unknown key': withKid('A'.repeat(43)),
    }),
    ...forged('token_invalid', 'verification', {
      'the signature of an unknown key': token({ signer: (input) => es256(input, stranger) }),
      'the signature of a key of another curve': withAlgorithm('ES256', withKey('sha256', p384)),
      'the signature of an RSA key': withAlgorithm('ES256', withKey('sha256', rsa)),
      'another payload than the signed one': segments(genuineHeader, anotherPayload, genuineSignature),
      'a signature over the payload only': signedAs(es256(genuinePayload)),
      'a signature in DER': token({
        signer: (input) => sign('sha256', Buffer.from(input), mint.privateKey),
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
}

/** Tokens with a valid signature and invalid claims. */
export function forgedClaims(mint: Mint) {
  const { payload, token, other } = mint;
  const { iss, aud, exp } = payload;
  const claims = (changed: object): string => token({ payload: { ...payload, ...changed } });
  const without = (name: string): string =>
    token({ payload: Object.fromEntries(Object.entries(payload).filter(([claim]) => claim !== name)) });
  const spelled = JSON.stringify(payload);

  const malformed = forged('token_invalid', 'claims', {
    'no sub': without('sub'),
    'a lifetime of 901 s': claims({ exp: payload.iat + 901 }),
  });

  const byTheLibrary = forged('token_invalid', 'verification', {
    'no iss': without('iss'),
    'another issuer': claims({ iss: 'https://evil.example' }),
    'a slash after the issuer': claims({ iss: `${iss}/` }),
    'a list of issuers': claims({ iss: [iss] }),
    'a string as exp': claims({ exp: String(exp) }),
    'null as exp': claims({ exp: null }),
    'a string as nbf': claims({ nbf: '0' }),
    'a payload that is a list': token({ payload: [payload] }),
    'a payload that is a string': token({ payload: 'user' }),
    'a payload that is null': token({ payload: 'null' }),
  });

  const audience = forged('token_invalid', 'audience', {
    'an unknown installation': claims({ installation: 'ins_unknown' }),
    'the name of an inherited object member as installation': claims({ installation: 'ins_constructor' }),
    'another installation and the audience of this one': claims({ installation: other.installation }),
    'the audience of another installation': claims({ aud: other.aud }),
    'a slash after the audience': claims({ aud: `${aud}/` }),
  });

  const invalidUtf8 = Buffer.concat([
    Buffer.from('{"x":"'),
    Buffer.of(0xff),
    Buffer.from(`",${spelled.slice(1)}`),
  ]);
  const spelling = forged('token_invalid', 'spelling', {
    'two sub claims': token({ payload: `{"sub":"${newId('user')}",${spelled.slice(1)}` }),
    'two exp claims': token({ payload: `{"exp":${exp + 9e9},${spelled.slice(1)}` }),
    'two nested members with the same name': token({ payload: spelled.replace(/}$/, ',"x":{"a":1,"a":2}}') }),
    'spaces in the payload': token({ payload: JSON.stringify(payload, null, 1) }),
    'a number that is not written canonically': token({
      payload: spelled.replace(/"exp":(\d+)/, '"exp":$1.0'),
    }),
    'invalid UTF-8': token({ payload: invalidUtf8 }),
  });

  return [...malformed, ...byTheLibrary, ...audience, ...spelling];
}
