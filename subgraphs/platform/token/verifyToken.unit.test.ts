import { newId } from '../ids/newId.ts';
import { createForge, refusalOf } from './forgeTokens.ts';
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

test('a genuine token says who calls, for which installation, and until when', async () => {
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

test('a token of an API client carries its dealer and its scopes', async () => {
  const dealer = newId('dealer');
  const claims = { ...payload, sub: newId('client'), dealer, scope: 'listings:read content:seo' };
  const verified = await verifyToken(`Bearer ${token({ payload: claims })}`, forge.options);
  expect(verified).toMatchObject({ subjectType: 'client', dealerId: dealer });
  expect([...verified.scopes]).toEqual(['listings:read', 'content:seo']);
});

test("an operator's token names the operator behind it", async () => {
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
  ['whose times lie 30 s ahead', { iat: nowSeconds + 30, nbf: nowSeconds + 30, auth_time: nowSeconds + 30 }],
  ['that lives 900 s', { exp: nowSeconds + 890 }],
  ['with claims that nobody knows', { tenant_hint: { deep: [1] }, nonce: 'abc' }],
])('a token %s is accepted', async (_, changed) => {
  const genuine = token({ payload: { ...payload, ...changed } });
  expect(await verifyToken(`Bearer ${genuine}`, forge.options)).toMatchObject({ subject: payload.sub });
});

test('a token without time of sign-in never counts as recently signed in, one without scope holds none', async () => {
  const bare = token({ payload: { ...payload, auth_time: undefined, scope: undefined } });
  const verified = await verifyToken(`Bearer ${bare}`, forge.options);
  expect(verified.authTime).toBe(0);
  expect(verified.scopes.size).toBe(0);
});

test('the answer comes at once when the key is in memory, known token or not', async () => {
  const { options } = createOptions();
  expect(verifyToken(bearer, options)).toBeInstanceOf(Promise);
  await verifyToken(bearer, options);
  expect(verifyToken(bearer, options)).not.toBeInstanceOf(Promise);
  const fresh = token({ payload: { ...payload, jti: 'another-token-id' } });
  expect(verifyToken(`Bearer ${fresh}`, options)).not.toBeInstanceOf(Promise);
});

test('of a crowd that comes with one token while the keys are read, one has it verified', async () => {
  const { options } = createOptions();
  const { verified } = options.keys;
  let verifications = 0;
  const add: typeof verified.add = (...args) => {
    verifications += 1;
    verified.add(...args);
  };
  const keys = {
    ...options.keys,
    find: options.keys.find.bind(options.keys),
    verified: { ...verified, add },
  };
  const crowd = Array.from({ length: 10 }, async () => verifyToken(bearer, { ...options, keys }));
  expect(new Set((await Promise.all(crowd)).map(({ tokenId }) => tokenId)).size).toBe(1);
  expect(verifications).toBe(1);
});

test('what a caller does with the token changes it for nobody', async () => {
  const verified = await verifyToken(bearer, forge.options);
  expect(() => Object.assign(verified, { subject: 'usr_x' })).toThrow(TypeError);
  expect(() => (verified.amr as string[]).push('otp')).toThrow(TypeError);
});

describe('a token that was accepted before', () => {
  test('is refused once it has expired', async () => {
    let seconds = nowSeconds;
    const { options } = createOptions({ now: () => seconds * 1000 });
    await verifyToken(bearer, options);
    seconds = payload.exp + 29;
    expect(await verifyToken(bearer, options)).toMatchObject({ subject: payload.sub });
    seconds = payload.exp + 30;
    expect((await refusalOf(bearer, options)).code).toBe('token_expired');
  });

  test('is refused when the clock says that it is not valid yet', async () => {
    let seconds = nowSeconds;
    const { options } = createOptions({ now: () => seconds * 1000 });
    await verifyToken(bearer, options);
    seconds = payload.iat - 31;
    expect((await refusalOf(bearer, options)).code).toBe('token_not_yet_valid');
  });

  test('is refused once its key is dropped', async () => {
    const { store, options } = createOptions();
    await verifyToken(bearer, options);
    store.records = [{ ...forge.record, state: 'compromised' }];
    options.keys.drop();
    expect((await refusalOf(bearer, options)).cause).toBe('key');
  });

  test('is verified again when another key has taken the name of its key', async () => {
    const { store, options } = createOptions();
    await verifyToken(bearer, options);
    const other = createForge().record;
    store.records = [{ ...forge.record, publicJwk: { ...other.publicJwk, kid: forge.record.kid } }];
    options.keys.drop();
    expect((await refusalOf(bearer, options)).cause).toBe('verification');
  });

  test('is refused once its installation is gone or has another address', async () => {
    let audience: string | null = payload.aud;
    const { options } = createOptions({ audienceOf: () => audience });
    await verifyToken(bearer, options);
    for (audience of ['https://moved.example/api/v1', null]) {
      expect((await refusalOf(bearer, options)).cause).toBe('audience');
    }
  });

  test('is refused by a deployment of another issuer with the same keys', async () => {
    const { options } = createOptions();
    await verifyToken(bearer, options);
    expect((await refusalOf(bearer, { ...options, issuer: 'https://other.example' })).cause).toBe('issuer');
  });

  test('costs at most a fifth of verifying it', async () => {
    const { options } = createOptions();
    await verifyToken(bearer, options);
    const tokens = Array.from({ length: 300 }, (_, index) =>
      token({ payload: { ...payload, jti: `token-number-${1e6 + index}` } }),
    );
    const timeOf = (run: () => void): number => {
      const started = performance.now();
      run();
      return performance.now() - started;
    };
    const everything = (): void => tokens.forEach((text) => void verifyToken(`Bearer ${text}`, options));
    const first = timeOf(everything);
    const again = Math.min(timeOf(everything), timeOf(everything));
    expect(again).toBeLessThan(first / 5);
  });
});

test('junk never makes the key set be read, a made-up thumbprint once', async () => {
  const { store, options } = createOptions();
  await verifyToken(bearer, options);
  const { header } = forge;
  for (const kid of ['key-1', '../keys', 'A'.repeat(42)]) {
    await refusalOf(`Bearer ${token({ header: { ...header, kid } })}`, options);
  }
  await refusalOf(`Bearer ${token({ header: { ...header, alg: 'none', kid: 'A'.repeat(43) } })}`, options);
  expect(store.loads).toBe(1);
  for (const letter of 'ABCDEFGH') {
    await refusalOf(`Bearer ${token({ header: { ...header, kid: letter.repeat(43) } })}`, options);
  }
  expect(store.loads).toBe(2);
});

test('without keys the answer is 503 with a time to come back, not 401', async () => {
  const keys = createKeySet({ load: () => Promise.reject(new Error('down')) });
  const refusal = await refusalOf(bearer, { ...forge.options, keys });
  expect([refusal.status, refusal.details.retryAfter]).toEqual([503, 5]);
});
