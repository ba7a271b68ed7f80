import { randomBytes } from 'node:crypto';
import { createSecrets } from '../secrets/deriveSecret.ts';
import { createKeySet, type KeySet, type PublishedKey } from './KeySet.ts';
import type { VerifiedClaims } from './readClaims.ts';
import { createSigningKey, type KeyState } from './SigningKey.ts';
import type { VerificationKey } from './VerificationKey.ts';

const secrets = createSecrets(randomBytes(32));
const newKey = (state: KeyState = 'current') => ({ ...createSigningKey(secrets, new Date(0)), state });

/** A store of keys that counts its readers, can fail, and can be made to answer late. */
function createStore(...keys: PublishedKey[]) {
  const store = {
    keys,
    loads: 0,
    nowMs: 100_000_000,
    failure: null as Error | null,
    /** Called while a load is under way, before its result is known. */
    meanwhile: () => {},
    errors: [] as unknown[],
  };
  const set: KeySet = createKeySet({
    load: async () => {
      store.loads += 1;
      const { keys: found, failure } = store;
      await Promise.resolve();
      store.meanwhile();
      if (failure) throw failure;
      return found;
    },
    now: () => store.nowMs,
    onLoadError: (error) => store.errors.push(error),
  });
  return { store, set };
}

const unknown = 'A'.repeat(43);

test('the first caller waits for the set, later ones get the key at once', async () => {
  const key = newKey();
  const { store, set } = createStore(key);
  const [first, second] = await Promise.all([set.find(key.kid), set.find(key.kid)]);
  expect(first).toMatchObject({ kid: key.kid, algorithm: 'ES256' });
  expect(second).toBe(first);
  expect(set.find(key.kid)).toBe(first);
  expect(store.loads).toBe(1);
});

test('keys that wait, sign or have just stopped are known; retired and compromised ones are not', async () => {
  const states: KeyState[] = ['next', 'current', 'previous', 'retired', 'compromised'];
  const keys = states.map(newKey);
  const { set } = createStore(...keys);
  const found = await Promise.all(keys.map(async ({ kid }) => (await set.find(kid)) !== null));
  expect(found).toEqual([true, true, true, false, false]);
  const published = keys.slice(0, 3).map(({ publicJwk }) => publicJwk);
  expect(await set.publicJwks()).toEqual(published);
});

test('made-up names read the set once per 30 seconds for everybody together', async () => {
  const key = newKey();
  const { store, set } = createStore(key);
  await set.find(key.kid);
  const names = Array.from({ length: 500 }, () => randomBytes(32).toString('base64url'));
  expect(await Promise.all(names.map(async (name) => set.find(name)))).toEqual(names.map(() => null));
  expect(store.loads).toBe(2);
  store.nowMs += 29_999;
  expect(set.find(unknown)).toBeNull();
  store.nowMs += 1;
  expect(await set.find(unknown)).toBeNull();
  expect(store.loads).toBe(3);
});

test('a key that was added after the last load is found by its first token', async () => {
  const [old, added] = [newKey(), newKey('next')];
  const { store, set } = createStore(old);
  await set.find(old.kid);
  store.keys = [old, added];
  expect(await set.find(added.kid)).toMatchObject({ kid: added.kid });
});

test('the set is renewed in the background before it is too old, and nobody waits', async () => {
  const [old, added] = [newKey(), newKey('next')];
  const { store, set } = createStore(old);
  const key = await set.find(old.kid);
  store.keys = [old, added];
  store.nowMs += 240_000;
  expect(set.find(old.kid)).toBe(key);
  await set.publicJwks();
  await new Promise(setImmediate);
  expect(store.loads).toBe(2);
  expect(set.find(added.kid)).toMatchObject({ kid: added.kid });
});

test('a set past its age is read again before it is believed', async () => {
  const key = newKey();
  const { store, set } = createStore(key);
  await set.find(key.kid);
  store.keys = [];
  store.nowMs += 300_000;
  expect(await set.find(key.kid)).toBeNull();
});

test('the last good set serves for a day while it cannot be read, and not longer', async () => {
  const key = newKey();
  const { store, set } = createStore(key);
  await set.find(key.kid);
  store.failure = new Error('down');
  store.nowMs += 300_000;
  expect(await set.find(key.kid)).toMatchObject({ kid: key.kid });
  store.nowMs += 86_400_000 - 300_001;
  expect(set.find(key.kid)).toMatchObject({ kid: key.kid });
  await new Promise(setImmediate);
  store.nowMs += 1001;
  await expect(set.find(key.kid)).rejects.toMatchObject({ code: 'unavailable', details: { retryAfter: 5 } });
});

test('while it cannot be read, it is tried once a second and nobody waits', async () => {
  const key = newKey();
  const { store, set } = createStore(key);
  await set.find(key.kid);
  store.failure = new Error('down');
  store.nowMs += 300_000;
  await set.find(key.kid);
  const before = store.loads;
  for (let request = 0; request < 100; request += 1) {
    store.nowMs += 100;
    expect(set.find(key.kid)).not.toBeInstanceOf(Promise);
    await new Promise(setImmediate);
  }
  expect(store.loads - before).toBeLessThanOrEqual(10);
  expect(store.errors[0]).toBe(store.failure);
  store.failure = null;
  store.nowMs += 1000;
  void set.find(key.kid);
  await new Promise(setImmediate);
  expect(await set.find(unknown)).toBeNull();
});

test('without any set the answer is 503, at once within the second after a failure, and recovers by itself', async () => {
  const key = newKey();
  const { store, set } = createStore(key);
  store.failure = new Error('down');
  await expect(set.find(key.kid)).rejects.toMatchObject({ code: 'unavailable' });
  await expect(set.publicJwks()).rejects.toMatchObject({ code: 'unavailable' });
  expect(store.loads).toBe(1);
  store.failure = null;
  store.nowMs += 1000;
  expect(await set.find(key.kid)).toMatchObject({ kid: key.kid });
});

test.each([
  ['two keys of one name', (key: PublishedKey) => [key, key]],
  [
    'a symmetric key',
    (key: PublishedKey) => [key, { publicJwk: { kty: 'oct', kid: 'x', k: 'AAAA', alg: 'HS256' } }],
  ],
  ['a private key', (key: PublishedKey) => [{ publicJwk: { ...key.publicJwk, d: 'AAAA' } }]],
])('a set with %s is refused as a whole, and the last good one stays', async (_, spoil) => {
  const key = newKey();
  const { store, set } = createStore(key);
  const found = await set.find(key.kid);
  store.keys = spoil(key);
  store.nowMs += 300_000;
  expect(await set.find(key.kid)).toBe(found);
  expect(store.errors).toHaveLength(1);
});

test('a dropped set is not believed any more, even if it cannot be read again', async () => {
  const key = newKey();
  const { store, set } = createStore(key);
  const found = await set.find(key.kid);
  set.verified.add('a.b.c', { key: found as VerificationKey, claims: {} as VerifiedClaims });
  store.failure = new Error('down');
  set.drop();
  await expect(set.find(key.kid)).rejects.toMatchObject({ code: 'unavailable' });
  expect(set.verified.find('a.b.c')).toBeUndefined();
});

test('a load that began before the drop and fails is repeated for those who wait', async () => {
  const key = newKey();
  const { store, set } = createStore(key);
  store.failure = new Error('down');
  store.meanwhile = () => {
    store.meanwhile = () => {};
    store.failure = null;
    set.drop();
  };
  expect(await set.find(key.kid)).toMatchObject({ kid: key.kid });
  expect([store.loads, store.errors.length]).toEqual([2, 1]);
});

test('a load that began before the drop does not bring the dropped keys back', async () => {
  const stolen = newKey();
  const { store, set } = createStore(stolen);
  store.meanwhile = () => {
    store.meanwhile = () => {};
    store.keys = [];
    set.drop();
  };
  expect(await set.find(stolen.kid)).toBeNull();
  expect(store.loads).toBe(2);
  expect(await set.publicJwks()).toEqual([]);
});

test('an unchanged key stays the same object through renewals and drops, a changed one does not', async () => {
  const [key, other] = [newKey(), newKey()];
  const { store, set } = createStore(key);
  const found = await set.find(key.kid);
  set.drop();
  expect(await set.find(key.kid)).toBe(found);
  store.keys = [{ publicJwk: { ...other.publicJwk, kid: key.kid } }];
  set.drop();
  expect(await set.find(key.kid)).not.toBe(found);
});

test('only keys of the allowed algorithms are known', async () => {
  const key = newKey();
  const set = createKeySet({ load: async () => [key], algorithms: ['RS256'] });
  expect(await set.find(key.kid)).toBeNull();
});
