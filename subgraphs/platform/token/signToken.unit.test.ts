import { newId } from '../ids/newId.ts';
import { createForge } from './forgeTokens.ts';
import { type AccessTokenClaims, signAccessToken } from './signToken.ts';
import { verifyToken } from './verifyToken.ts';

const { options, payload, privateKey, header, nowSeconds } = createForge();
const key = { kid: header.kid, privateKey };
const signing = { issuer: payload.iss, now: () => nowSeconds * 1000 };
const claims: AccessTokenClaims = {
  subject: payload.sub,
  installationId: payload.installation,
  audience: payload.aud,
  sessionId: payload.sid,
  clientId: 'web',
  roles: ['buyer'],
  scopes: ['user'],
  authTime: nowSeconds - 5,
  amr: ['pwd', 'otp'],
  acr: 'mfa',
};
const read = (text: string, segment: number): unknown =>
  JSON.parse(Buffer.from(text.split('.')[segment] ?? '', 'base64url').toString());

test('what is signed here is accepted there', async () => {
  const dealerId = newId('dealer');
  const act = { sub: newId('operator') };
  const verified = await verifyToken(
    `Bearer ${signAccessToken({ ...claims, dealerId, act }, key, signing)}`,
    options,
  );
  expect(verified).toMatchObject({
    subject: claims.subject,
    installationId: claims.installationId,
    sessionId: claims.sessionId,
    clientId: 'web',
    scopes: new Set(['user']),
    authTime: nowSeconds - 5,
    amr: ['pwd', 'otp'],
    acr: 'mfa',
    issuedAt: nowSeconds,
    expiresAt: nowSeconds + 600,
    dealerId,
    act,
  });
});

test('the header says at+jwt and which key, and nothing else', () => {
  expect(read(signAccessToken(claims, key, signing), 0)).toEqual({
    alg: 'ES256',
    typ: 'at+jwt',
    kid: key.kid,
  });
});

test('claims that were not given are absent, and every token has an id of its own', () => {
  const { subject, installationId, audience, sessionId } = claims;
  const bare = { subject, installationId, audience, sessionId, scopes: [] };
  const first = read(signAccessToken(bare, key, signing), 1) as Record<string, unknown>;
  const second = read(signAccessToken(bare, key, signing), 1) as Record<string, unknown>;
  expect(Object.keys(first).sort()).toEqual([
    'aud',
    'exp',
    'iat',
    'installation',
    'iss',
    'jti',
    'nbf',
    'sid',
    'sub',
  ]);
  expect(first['jti']).not.toBe(second['jti']);
});

test('signing leaves the given claims as they are', () => {
  const amr = ['pwd'];
  signAccessToken({ ...claims, amr }, key, signing);
  amr.push('otp');
  expect(amr).toEqual(['pwd', 'otp']);
});

test.each([
  ['a life of more than 15 minutes', claims, 901],
  ['a life of nothing', claims, 0],
  ['a life of half a second', claims, 0.5],
  ["an operator's life of more than 10 minutes", { ...claims, subject: newId('operator') }, 601],
  ['a subject that is no principal', { ...claims, subject: newId('listing') }, 600],
  ['a scope of two words', { ...claims, scopes: ['user\tadmin'] }, 600],
  ['a time in milliseconds and a half', { ...claims, authTime: nowSeconds + 0.5 }, 600],
])('%s is not signed', (_, wrong, lifetimeSeconds) => {
  expect(() => signAccessToken(wrong, key, { ...signing, lifetimeSeconds })).toThrow(RangeError);
});
