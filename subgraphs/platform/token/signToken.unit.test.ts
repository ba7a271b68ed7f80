import { createForge } from '../../../test/support/people/forgeTokens.ts';
import { newId } from '../ids/newId.ts';
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
const sign = (changed: Partial<AccessTokenClaims> = {}, options = {}) =>
  signAccessToken({ ...claims, ...changed }, key, { ...signing, ...options });
const read = (text: string, segment: number) =>
  JSON.parse(Buffer.from(text.split('.')[segment] ?? '', 'base64url').toString()) as Record<string, unknown>;

test('a signed token is accepted with all of its claims', async () => {
  const [dealerId, act] = [newId('dealer'), { sub: newId('operator') }];
  const { subject, installationId, sessionId, clientId, authTime, amr, acr } = claims;
  const kept = { subject, installationId, sessionId, clientId, authTime, amr, acr, dealerId, act };
  const times = { issuedAt: nowSeconds, expiresAt: nowSeconds + 600 };
  const verified = await verifyToken(`Bearer ${sign({ dealerId, act })}`, options);
  expect(verified).toMatchObject({ ...kept, ...times, scopes: new Set(['user']) });
});

test('the header of a signed token contains only the type at+jwt, the algorithm and the key', () => {
  expect(read(sign(), 0)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: key.kid });
});

test('a signed token contains only required and given claims, and has a unique id', () => {
  const { subject, installationId, audience, sessionId } = claims;
  const signBare = () =>
    read(signAccessToken({ subject, installationId, audience, sessionId, scopes: [] }, key, signing), 1);
  const [first, second] = [signBare(), signBare()];
  const required = ['aud', 'exp', 'iat', 'installation', 'iss', 'jti', 'nbf', 'sid', 'sub'];
  expect(Object.keys(first).sort()).toEqual(required);
  expect(first['jti']).not.toBe(second['jti']);
});

test('signing a token does not freeze the given claims', () => {
  const amr = ['pwd'];
  sign({ amr });
  amr.push('otp');
  expect(amr).toEqual(['pwd', 'otp']);
});

test.each<[string, Partial<AccessTokenClaims>, number]>([
  ['a lifetime of more than 15 minutes', {}, 901],
  ['a lifetime of 0 seconds', {}, 0],
  ['a lifetime of half a second', {}, 0.5],
  ['a lifetime of more than 10 minutes for an operator', { subject: newId('operator') }, 601],
  ['a subject that is not a principal', { subject: newId('listing') }, 600],
  ['a scope with a tab', { scopes: ['user\tadmin'] }, 600],
  ['a fractional time of sign-in', { authTime: nowSeconds + 0.5 }, 600],
])('signing a token with %s throws', (_, wrong, lifetimeSeconds) => {
  expect(() => sign(wrong, { lifetimeSeconds })).toThrow(RangeError);
});
