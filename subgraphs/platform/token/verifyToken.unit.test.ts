import { createForge, refusalOf } from '../../../test/support/people/forgeTokens.ts';
import { newId } from '../ids/newId.ts';
import { createKeySet } from './KeySet.ts';
import type { SigningKeyRecord } from './SigningKey.ts';
import { type VerifyTokenOptions, verifyToken } from './verifyToken.ts';

const forge = createForge();
const { payload, nowSeconds, token } = forge;
const bearer = `Bearer ${token()}`;

/** Options with a key set of their own, whose loads are counted and whose records can be changed. */
function createOptions(changed: Partial<VerifyTokenOptions> = {}) {
  const store = { records: [forge.record] as SigningKeyRecord[], loads: 0 };
  const keys = createKeySet({
    load: async () => {
      store.loads += 1;
      return store.records;
    },
  });
  return { store, options: { ...forge.options, keys, ...changed } };
}

/** The same options, after they have accepted `bearer` once. */
async function openAccepted(changed: Partial<VerifyTokenOptions> = {}) {
  const opened = createOptions(changed);
  await verifyToken(bearer, opened.options);
  return opened;
}

test('a genuine token is verified with its subject, installation, session and times', async () => {
  expect(await verifyToken(bearer, forge.options)).toEqual({
    subject: payload.sub,
    subjectType: 'user',
    installationId: 'ins_market',
    sessionId: payload.sid,
    clientId: 'web',
    scopes: new Set(['user']),
    authTime: nowSeconds - 100,
    amr: ['pwd'],
    acr: 'basic',
    issuedAt: nowSeconds - 10,
    expiresAt: nowSeconds + 590,
    tokenId: 'abcdefghijklmnop',
  });
});

test('a token of an API client is verified with its dealer and scopes', async () => {
  const dealer = newId('dealer');
  const claims = { ...payload, sub: newId('client'), dealer, scope: 'listings:read content:seo' };
  const verified = await verifyToken(`Bearer ${token({ payload: claims })}`, forge.options);
  expect(verified).toMatchObject({ subjectType: 'client', dealerId: dealer });
  expect([...verified.scopes]).toEqual(['listings:read', 'content:seo']);
});

test('a token of an operator who acts for a user is verified with the operator', async () => {
  const act = { sub: newId('operator') };
  const verified = await verifyToken(`Bearer ${token({ payload: { ...payload, act } })}`, forge.options);
  expect(verified.act).toEqual(act);
});

test.each([
  [
    'without the optional claims',
    { nbf: undefined, scope: undefined, acr: undefined, amr: undefined, client_id: undefined },
  ],
  ['that expired 29 s ago', { iat: nowSeconds - 629, nbf: nowSeconds - 629, exp: nowSeconds - 29 }],
  [
    'whose times are 30 s in the future',
    { iat: nowSeconds + 30, nbf: nowSeconds + 30, auth_time: nowSeconds + 30 },
  ],
  ['with a lifetime of 900 s', { exp: nowSeconds + 890 }],
  ['with unknown claims', { tenant_hint: { deep: [1] }, nonce: 'abc' }],
])('a token %s is accepted', async (_, changed) => {
  const genuine = token({ payload: { ...payload, ...changed } });
  expect(await verifyToken(`Bearer ${genuine}`, forge.options)).toMatchObject({ subject: payload.sub });
});

test('a token without auth_time and scope has the sign-in time 0 and no scopes', async () => {
  const bare = token({ payload: { ...payload, auth_time: undefined, scope: undefined } });
  const { authTime, scopes } = await verifyToken(`Bearer ${bare}`, forge.options);
  expect([authTime, scopes.size]).toEqual([0, 0]);
});

test('verification is synchronous if the key is in memory, for known and new tokens', async () => {
  const { options } = createOptions();
  expect(verifyToken(bearer, options)).toBeInstanceOf(Promise);
  await verifyToken(bearer, options);
  expect(verifyToken(bearer, options)).not.toBeInstanceOf(Promise);
  const fresh = token({ payload: { ...payload, jti: 'another-token-id' } });
  expect(verifyToken(`Bearer ${fresh}`, options)).not.toBeInstanceOf(Promise);
});

test('a token is verified once, also if several requests send it while the keys are loaded', async () => {
  const { options } = createOptions();
  const { verified } = options.keys;
  let verifications = 0;
  const add: typeof verified.add = (...args) => {
    verifications += 1;
    verified.add(...args);
  };
  const find = options.keys.find.bind(options.keys);
  const counted = { ...options, keys: { ...options.keys, find, verified: { ...verified, add } } };
  const crowd = await Promise.all(Array.from({ length: 10 }, async () => verifyToken(bearer, counted)));
  expect(new Set(crowd.map(({ tokenId }) => tokenId)).size).toBe(1);
  await verifyToken(bearer, counted);
  expect(verifications).toBe(1);
});

test('a verified token cannot be changed', async () => {
  const verified = await verifyToken(bearer, forge.options);
  expect(() => Object.assign(verified, { subject: 'usr_x' })).toThrow(TypeError);
  expect(() => (verified.amr as string[]).push('otp')).toThrow(TypeError);
});

describe('a token that was accepted before', () => {
  test('a token that was accepted before is refused before its start and after its end', async () => {
    let seconds = nowSeconds;
    const { options } = await openAccepted({ now: () => seconds * 1000 });
    seconds = payload.exp + 29;
    expect(await verifyToken(bearer, options)).toMatchObject({ subject: payload.sub });
    seconds = payload.exp + 30;
    expect((await refusalOf(bearer, options)).code).toBe('token_expired');
    seconds = payload.iat - 31;
    expect((await refusalOf(bearer, options)).code).toBe('token_not_yet_valid');
  });

  const compromised: SigningKeyRecord = { ...forge.record, state: 'compromised' };
  const renamed = { ...createForge().record.publicJwk, kid: forge.record.kid };
  test.each([
    ['its key is compromised', 'key', compromised],
    ['another key has the name of its key', 'verification', { ...forge.record, publicJwk: renamed }],
  ])('a token that was accepted before is refused if %s', async (_, rule, record) => {
    const { store, options } = await openAccepted();
    store.records = [record];
    options.keys.drop();
    expect((await refusalOf(bearer, options)).cause).toBe(rule);
  });

  test('a token that was accepted before is refused if its key is missing from a later load', async () => {
    let ms = 0;
    let records = [forge.record];
    const keys = createKeySet({ load: async () => records, now: () => ms });
    const options = { ...forge.options, keys };
    await verifyToken(bearer, options);
    records = [createForge().record];
    ms += 300_000;
    expect((await refusalOf(bearer, options)).cause).toBe('key');
  });

  test('a token that was accepted before is refused if its installation was deleted or has another address', async () => {
    let audience: string | null = payload.aud;
    const { options } = await openAccepted({ audienceOf: () => audience });
    for (audience of ['https://moved.example/api/v1', null])
      expect((await refusalOf(bearer, options)).cause).toBe('audience');
  });

  test('a token that was accepted before is refused by a deployment of another issuer with the same keys', async () => {
    const { options } = await openAccepted();
    expect((await refusalOf(bearer, { ...options, issuer: 'https://other.example' })).cause).toBe('issuer');
  });
});

test('a malformed kid does not load the key set, and unknown thumbprints load it once', async () => {
  const { store, options } = await openAccepted();
  const send = (header: object) =>
    refusalOf(`Bearer ${token({ header: { ...forge.header, ...header } })}`, options);
  for (const kid of ['key-1', '../keys', 'A'.repeat(42)]) await send({ kid });
  await send({ alg: 'none', kid: 'A'.repeat(43) });
  expect(store.loads).toBe(1);
  for (const letter of 'ABCDEFGH') await send({ kid: letter.repeat(43) });
  expect(store.loads).toBe(2);
});

test('a token is refused with 503 and Retry-After if no keys can be loaded', async () => {
  const keys = createKeySet({ load: () => Promise.reject(new Error('down')) });
  const refusal = await refusalOf(bearer, { ...forge.options, keys });
  expect([refusal.status, refusal.details.retryAfter]).toEqual([503, 5]);
});
