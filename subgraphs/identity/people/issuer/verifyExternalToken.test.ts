import { createHmac, createPublicKey, type JsonWebKey, randomBytes } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { perFile, product } from '../../../../test/support/product.ts';
import {
  type ExternalIssuer,
  externalAudience,
  openExternalIssuer,
} from '../../../../test/support/servers/openExternalIssuer.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { currentSigningKey } from '../signing-key/currentSigningKey.ts';
import { addIssuer, type NewIssuer } from './addIssuer.ts';
import { IssuerModel } from './model.ts';
import { type ExternalTokenType, verifyExternalToken } from './verifyExternalToken.ts';

const { market, neighbour, stack } = product({ allowPrivateIssuers: true });
const issuer = perFile(() => openExternalIssuer({ now: () => stack.platform.now() }));
beforeAll(async () => {
  await configure(issuer, {});
});
afterAll(() => issuer.close());

const configure = (at: ExternalIssuer, options: Partial<NewIssuer>) =>
  addIssuer(
    {
      installationId: market.installation.id,
      issuer: at.url,
      audiences: [externalAudience],
      authorizedParties: ['mobile-app'],
      algorithms: ['ES256'],
      ...options,
    },
    { ownIssuer: stack.platform.issuer, allowPrivate: true, now: stack.platform.now },
  );
const verify = (
  token: string,
  {
    type = 'id_token',
    nonce,
    at = market,
  }: { type?: ExternalTokenType; nonce?: string; at?: typeof market } = {},
) => verifyExternalToken(token, { type, nonce }, stack.contextFor(at));
/** The outcome, for example `401 token_invalid: audience`. */
const refusal = async (token: string, options?: Parameters<typeof verify>[1]): Promise<string> => {
  const outcome = await verify(token, options).then(
    () => 'accepted',
    (error: unknown) => error,
  );
  if (!(outcome instanceof AppError)) return String(outcome);
  expect(outcome.details).toMatchObject({ error: 'invalid_request', challenge: 'error="invalid_token"' });
  return `${outcome.status} ${outcome.code}: ${String(outcome.cause)}`;
};
/** Claims of any type, as an issuer may state them. */
type Claims = Readonly<Record<string, unknown>>;
const inSeconds = (offset: number) => Math.floor(stack.platform.now() / 1000) + offset;
const segment = (value: object | string) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

test('an external token is verified with its subject, the time of the sign-in and the profile', async () => {
  const signedInAt = inSeconds(-100);
  const token = await issuer.issue({ auth_time: signedInAt, email: 'a@example.test', email_verified: true });
  expect(await verify(token)).toMatchObject({
    subject: 'subject-1',
    authTime: new Date(signedInAt * 1000),
    profile: { email: 'a@example.test', emailVerified: true, name: null, roles: [] },
  });
  expect(await verify(await issuer.issue())).toMatchObject({ authTime: null });
});

test.each<[string, Claims]>([
  ['a list of one audience', { aud: [externalAudience] }],
  [
    'several audiences and this audience as the party',
    { aud: ['else', externalAudience], azp: externalAudience },
  ],
  ['another configured client as the party', { azp: 'mobile-app' }],
  ['unknown members', { sid: { $ne: null }, at_hash: 1 }],
  ['a time within the tolerance', { iat: inSecondsNow(20), exp: inSecondsNow(300) }],
])('an external token with %s is accepted', async (_, claims) => {
  expect(await refusal(await issuer.issue(claims as JWTPayload))).toBe('accepted');
});

test.each<[string, Claims, string]>([
  ['another issuer', { iss: 'https://issuer.example' }, 'token_invalid: issuer'],
  ['our own issuer', { iss: 'http://issuer.test' }, 'token_invalid: issuer'],
  ['an issuer that is spelled differently', { iss: 'HTTP://127.0.0.1' }, 'token_invalid: issuer'],
  ['a list of issuers', { iss: ['x'] }, 'token_invalid: issuer'],
  ['another audience', { aud: 'someone-else' }, 'token_invalid: issuer'],
  ['no audience', { aud: undefined }, 'token_invalid: issuer'],
  ['an object as audience', { aud: { $ne: null } }, 'token_invalid: issuer'],
  ['several audiences and no party', { aud: [externalAudience, 'else'] }, 'token_invalid: audience'],
  ['another party', { azp: 'someone-else' }, 'token_invalid: audience'],
  ['an object as party', { azp: {} }, 'token_invalid: claims'],
  ['no subject', { sub: undefined }, 'token_invalid: claims'],
  ['an object as subject', { sub: { $ne: null } }, 'token_invalid: claims'],
  ['an empty subject', { sub: '' }, 'token_invalid: claims'],
  ['a subject of 256 characters', { sub: 'x'.repeat(256) }, 'token_invalid: claims'],
  ['no iat', { iat: undefined }, 'token_invalid: claims'],
  ['no exp', { exp: undefined }, 'token_invalid: claims'],
  ['a string as exp', { exp: '9999999999' }, 'token_invalid: verification'],
  ['exp before iat', { iat: inSecondsNow(0), exp: inSecondsNow(-1) }, 'token_invalid: claims'],
  ['exp in the past', { iat: inSecondsNow(-900), exp: inSecondsNow(-60) }, 'token_expired: time'],
  ['an age beyond the limit', { iat: inSecondsNow(-700) }, 'token_expired: time'],
  ['iat in the future', { iat: inSecondsNow(90) }, 'token_not_yet_valid: time'],
  ['nbf in the future', { nbf: inSecondsNow(90) }, 'token_not_yet_valid: time'],
  ['a sign-in in the future', { auth_time: inSecondsNow(90) }, 'token_not_yet_valid: time'],
  ['a string as time of the sign-in', { auth_time: '1' }, 'token_invalid: claims'],
])('an external token with %s is refused', async (_, claims, expected) => {
  expect(await refusal(await issuer.issue(claims as JWTPayload))).toBe(`401 ${expected}`);
});

/** The time of the system, because the rows are created before the stack, whose clock equals it at first. */
function inSecondsNow(offset: number): number {
  return Math.floor(Date.now() / 1000) + offset;
}

test('an external token with another nonce than the stated one is refused', async () => {
  const token = await issuer.issue({ nonce: 'n-1' });
  expect(await refusal(token, { nonce: 'n-1' })).toBe('accepted');
  expect(await refusal(token)).toBe('accepted');
  expect(await refusal(token, { nonce: 'n-2' })).toBe('401 token_invalid: nonce');
  expect(await refusal(await issuer.issue(), { nonce: 'n-1' })).toBe('401 token_invalid: nonce');
});

test.each([
  ['at+jwt', 'access_token', 'accepted'],
  ['application/at+jwt', 'access_token', 'accepted'],
  ['JWT', 'access_token', 'accepted'],
  ['jwt', 'id_token', 'accepted'],
  ['at+jwt', 'id_token', '401 token_invalid: type'],
  ['logout+jwt', 'id_token', '401 token_invalid: type'],
  ['dpop+jwt', 'access_token', '401 token_invalid: type'],
  ['secevent+jwt', 'access_token', '401 token_invalid: type'],
] as const)('an external token with typ %s, sent as %s, is %s', async (typ, type, expected) => {
  expect(await refusal(await issuer.issue({}, { header: { typ } }), { type })).toBe(expected);
});

test.each([
  ['jku', { jku: 'https://issuer.example/keys' }],
  ['jwk', { jwk: {} }],
  ['x5u', { x5u: 'https://issuer.example/certificate' }],
  ['x5c', { x5c: [] }],
  ['cty', { cty: 'JWT' }],
  ['zip', { zip: 'DEF' }],
])('an external token with %s in its header is refused', async (_, header) => {
  expect(await refusal(await issuer.issue({}, { header }))).toBe('401 token_invalid: header');
});

const forge = async (header: object, sign: (input: string) => Buffer) => {
  const [, payload = ''] = (await issuer.issue()).split('.');
  const input = `${segment({ alg: 'ES256', kid: 'key-1', ...header })}.${payload}`;
  return `${input}.${sign(input).toString('base64url')}`;
};
const publicPem = () =>
  createPublicKey({ key: issuer.keys[0] as JsonWebKey, format: 'jwk' }).export({
    type: 'spki',
    format: 'pem',
  });

test('an external token without a signature, or with an HMAC by the public key, is refused', async () => {
  for (const alg of ['none', 'None', 'HS256', 'HS512']) {
    const token = await forge({ alg }, (input) => createHmac('sha256', publicPem()).update(input).digest());
    expect([alg, await refusal(token)]).toEqual([alg, '401 token_invalid: algorithm']);
  }
  const [header, payload] = (await issuer.issue()).split('.');
  expect(await refusal(`${header}.${payload}.`)).toBe('401 token_malformed: segments');
});

test('an external token with a random signature, zeros or the signature of another token is refused', async () => {
  const verification = '401 token_invalid: verification';
  expect(await refusal(await forge({}, () => randomBytes(64)))).toBe(verification);
  expect(await refusal(await forge({}, () => Buffer.alloc(64)))).toBe(verification);
  const [header, , signature] = (await issuer.issue()).split('.');
  const [, other] = (await issuer.issue({ sub: 'somebody-else' })).split('.');
  expect(await refusal(`${header}.${other}.${signature}`)).toBe(verification);
});

test('an external token that is signed with an unknown key is refused', async () => {
  const stranger = await openExternalIssuer();
  expect(await refusal(await stranger.issue({ iss: issuer.url }))).toBe('401 token_invalid: verification');
  await stranger.close();
});

test('a key of this deployment does not verify a token of an external issuer', async () => {
  const { kid } = await currentSigningKey(stack.platform.secrets);
  expect(await refusal(await issuer.issue({}, { header: { kid } }))).toBe('401 token_invalid: key');
});

test('an access token of this deployment is refused as an external token', async () => {
  const { token } = await market.user();
  expect(await refusal(token, { type: 'access_token' })).toBe('401 token_invalid: issuer');
});

test('an external token of an algorithm that is not configured is refused, even if its key is published', async () => {
  const kid = await issuer.addKey('ES384');
  expect(await refusal(await issuer.issue({}, { kid }))).toBe('401 token_invalid: algorithm');
});

test.each(['ES256', 'ES384', 'RS256', 'PS256'])(
  'an external token that is signed with %s is accepted if the algorithm is configured',
  async (algorithm) => {
    const other = await openExternalIssuer({ algorithm });
    await configure(other, { algorithms: [algorithm] });
    expect(await refusal(await other.issue())).toBe('accepted');
    await other.close();
  },
);

test('a key without alg is used for the only configured algorithm of its type, and refused if there are two', async () => {
  const other = await openExternalIssuer({ algorithm: 'RS256' });
  other.publish(other.keys.map((jwk) => JSON.parse(JSON.stringify({ ...jwk, alg: undefined }))));
  await configure(other, { algorithms: ['ES256', 'RS256'] });
  expect(await refusal(await other.issue())).toBe('accepted');
  await IssuerModel.deleteOne({ issuer: other.url });
  await expect(configure(other, { algorithms: ['PS256', 'RS256'] })).rejects.toThrow(
    /no key for PS256, RS256/,
  );
  await other.close();
});

const unsigned = (header: string, claims: string) => `${segment(header)}.${segment(claims)}.AAAA`;
const keyed = '{"alg":"ES256","kid":"key-1"}';
const members = '401 token_malformed: members';
test.each([
  ['a text without dots', 'hello', '401 token_malformed: segments'],
  ['four segments', 'a.b.c.d', '401 token_malformed: segments'],
  ['a text of more than 8 KiB', `${'a'.repeat(9000)}.b.c`, '401 token_malformed: size'],
  ['a list as header', `${segment('[]')}.${segment('{}')}.AAAA`, '401 token_malformed: header'],
  ['a member twice in the header', unsigned('{"alg":"ES256","alg":"ES256","kid":"key-1"}', '{}'), members],
  ['a member twice in the claims', unsigned(keyed, '{"iss":"a","iss":"b"}'), members],
  ['claims that are not JSON', unsigned(keyed, 'x'), members],
  ['a deeply nested claim', unsigned(keyed, `{"a":${'['.repeat(2900)}${']'.repeat(2900)}}`), members],
])('an external token with %s is refused as malformed', async (_, token, expected) => {
  expect(await refusal(token)).toBe(expected);
});

test('an external token is refused in an installation without its issuer', async () => {
  expect(await refusal(await issuer.issue(), { at: await neighbour() })).toBe('401 token_invalid: issuer');
});

test('an external token of a disabled issuer is refused', async () => {
  const other = await openExternalIssuer();
  const { _id } = await configure(other, {});
  expect(await refusal(await other.issue())).toBe('accepted');
  await IssuerModel.updateOne({ _id }, { $set: { state: 'disabled' } });
  expect(await refusal(await other.issue())).toBe('401 token_invalid: issuer');
  await other.close();
});

describe('an external token of an issuer with a claim map', () => {
  const other = perFile(() => openExternalIssuer());
  beforeAll(async () => {
    await configure(other, {
      claimMap: { email: 'contact.mail', emailVerified: 'contact.ok', roles: 'https://roles.example/v1' },
      roleMap: [
        { claim: 'Editors', role: 'editor' },
        { claim: 'Editorial', role: 'editor' },
        { claim: 'Desk', role: 'support' },
      ],
    });
  });
  afterAll(() => other.close());

  test('is verified with the profile of the claim map and the roles of the role map', async () => {
    const token = await other.issue({
      email: 'elsewhere@example.test',
      contact: { mail: 'ada@example.test', ok: 'true' },
      name: 'Ada',
      roles: ['installation_admin'],
      'https://roles.example/v1': ['Editors', 'Editorial', 'installation_admin', 'operator'],
    });
    expect((await verify(token)).profile).toEqual({
      email: 'ada@example.test',
      emailVerified: true,
      name: 'Ada',
      roles: ['editor'],
    });
  });

  test.each([1, 'yes', 'TRUE', {}, [true], null])(
    'does not verify the address by the claim %j',
    async (ok) => {
      const { profile } = await verify(await other.issue({ contact: { mail: 'ada@example.test', ok } }));
      expect(profile.emailVerified).toBe(false);
    },
  );

  test('is verified without claims of the wrong type', async () => {
    const { profile } = await verify(
      await other.issue({
        contact: 'ada@example.test',
        name: { $gt: '' },
        'https://roles.example/v1': 'Desk',
      }),
    );
    expect(profile).toEqual({ email: null, emailVerified: false, name: null, roles: ['support'] });
  });
});

test('copies of an external token have the same fingerprint, also with another valid signature', async () => {
  const withoutId: Claims = { jti: undefined };
  const token = await issuer.issue(withoutId);
  const [header, payload, signature = ''] = token.split('.');
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const bytes = Buffer.from(signature, 'base64url');
  const s = BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const twin = Buffer.concat([
    bytes.subarray(0, 32),
    Buffer.from((order - s).toString(16).padStart(64, '0'), 'hex'),
  ]).toString('base64url');
  const [first, second] = [await verify(token), await verify(`${header}.${payload}.${twin}`)];
  expect(second.fingerprint).toBe(first.fingerprint);
  const named = await verify(await issuer.issue({ jti: 'j-1' }));
  expect((await verify(await issuer.issue({ jti: 'j-1', sub: 'x' }))).fingerprint).toBe(named.fingerprint);
  expect(first.fingerprint).not.toBe(named.fingerprint);
});
