import { randomBytes } from 'node:crypto';
import { createSecrets } from '../secrets/deriveSecret.ts';
import { createKeySet, type KeySet, type PublishedKey } from './KeySet.ts';
import type { VerifiedClaims } from './readClaims.ts';
import { createSigningKey, type KeyState } from './SigningKey.ts';
import type { VerificationKey } from './VerificationKey.ts';

const secrets = createSecrets(randomBytes(32));
const newKey = (state: KeyState = 'current') => ({ ...createSigningKey(secrets, new Date(0)), state });

/** A store of keys that counts its loads, can fail, and can respond late. */
function createStore(...keys: PublishedKey[]) {
  const store = {
    keys,
    loads: 0,
    nowMs: 100_000_000,
    failure: null as Error | null,
    /** Called during a load, before its result is known. */
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
const unavailable = { code: 'unavailable', details: { retryAfter: 5 } };
/** A store of one key, which has been loaded unless `isLoaded` is false. */
async function openStore({ isLoaded = true } = {}) {
  const key = newKey();
  const opened = createStore(key);
  const found = isLoaded ? await opened.set.find(key.kid) : null;
  return { key, found, ...opened };
}
/** Lets a load in the background end. */
const settle = () => new Promise(setImmediate);

test('the first caller waits for the key set, and later callers receive the key synchronously', async () => {
  const { key, store, set } = await openStore({ isLoaded: false });
  const [first, second] = await Promise.all([set.find(key.kid), set.find(key.kid)]);
  expect(first).toMatchObject({ kid: key.kid, algorithm: 'ES256' });
  expect(second).toBe(first);
  expect(set.find(key.kid)).toBe(first);
  expect(store.loads).toBe(1);
});

test('a key set contains next, current and previous keys, but no retired or compromised ones', async () => {
  const states: KeyState[] = ['next', 'current', 'previous', 'retired', 'compromised'];
  const keys = states.map(newKey);
  const { set } = createStore(...keys);
  const found = await Promise.all(keys.map(async ({ kid }) => (await set.find(kid)) !== null));
  expect(found).toEqual([true, true, true, false, false]);
  const published = keys.slice(0, 3).map(({ publicJwk }) => publicJwk);
  expect(await set.publicJwks()).toEqual(published);
});

test('unknown key names load the key set once per 30 seconds, however many callers use them', async () => {
  const { store, set } = await openStore();
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
  const { key, store, set } = await openStore();
  const added = newKey('next');
  store.keys = [key, added];
  expect(await set.find(added.kid)).toMatchObject({ kid: added.kid });
});

test('a key set is reloaded in the background before it expires', async () => {
  const { key, found, store, set } = await openStore();
  const added = newKey('next');
  store.keys = [key, added];
  store.nowMs += 240_000;
  expect(set.find(key.kid)).toBe(found);
  await set.publicJwks();
  await settle();
  expect(store.loads).toBe(2);
  expect(set.find(added.kid)).toMatchObject({ kid: added.kid });
});

test('an expired key set is reloaded before it is used', async () => {
  const { key, store, set } = await openStore();
  store.keys = [];
  store.nowMs += 300_000;
  expect(await set.find(key.kid)).toBeNull();
});

test('an expired key set is used for a day while the store cannot be read', async () => {
  const { key, store, set } = await openStore();
  store.failure = new Error('down');
  store.nowMs += 300_000;
  expect(await set.find(key.kid)).toMatchObject({ kid: key.kid });
  store.nowMs += 86_400_000 - 300_001;
  expect(set.find(key.kid)).toMatchObject({ kid: key.kid });
  await settle();
  store.nowMs += 1001;
  await expect(set.find(key.kid)).rejects.toMatchObject(unavailable);
});

test('a store that cannot be read is retried once a second, and no caller waits', async () => {
  const { key, store, set } = await openStore();
  store.failure = new Error('down');
  store.nowMs += 300_000;
  await set.find(key.kid);
  const before = store.loads;
  for (let request = 0; request < 100; request += 1) {
    store.nowMs += 100;
    expect(set.find(key.kid)).not.toBeInstanceOf(Promise);
    await settle();
  }
  expect(store.loads - before).toBeLessThanOrEqual(10);
  expect(store.errors[0]).toBe(store.failure);
  store.failure = null;
  store.nowMs += 1000;
  void set.find(key.kid);
  await settle();
  expect(await set.find(unknown)).toBeNull();
});

test('a key is unavailable until the store can be read for the first time', async () => {
  const { key, store, set } = await openStore({ isLoaded: false });
  store.failure = new Error('down');
  await expect(set.find(key.kid)).rejects.toMatchObject(unavailable);
  await expect(set.publicJwks()).rejects.toMatchObject(unavailable);
  expect(store.loads).toBe(1);
  store.failure = null;
  store.nowMs += 1000;
  expect(await set.find(key.kid)).toMatchObject({ kid: key.kid });
});

const symmetric = { publicJwk: { kty: 'oct', kid: 'x', k: 'AAAA', alg: 'HS256' } };
test.each([
  ['two keys with the same name', (key: PublishedKey) => [key, key]],
  ['a symmetric key', (key: PublishedKey) => [key, symmetric]],
  ['a private key', (key: PublishedKey) => [{ publicJwk: { ...key.publicJwk, d: 'AAAA' } }]],
])('a key set with %s is refused completely, and the last valid one is kept', async (_, spoil) => {
  const { key, found, store, set } = await openStore();
  store.keys = spoil(key);
  store.nowMs += 300_000;
  expect(await set.find(key.kid)).toBe(found);
  expect(store.errors).toHaveLength(1);
});

test('a dropped key set is not used again, even if the store cannot be read', async () => {
  const { key, found, store, set } = await openStore();
  set.verified.add('a.b.c', { key: found as VerificationKey, claims: {} as VerifiedClaims });
  store.failure = new Error('down');
  set.drop();
  await expect(set.find(key.kid)).rejects.toMatchObject(unavailable);
  expect(set.verified.find('a.b.c')).toBeUndefined();
});

test('a load that began before a drop is repeated for its callers if it fails', async () => {
  const { key, store, set } = await openStore({ isLoaded: false });
  store.failure = new Error('down');
  store.meanwhile = () => {
    store.meanwhile = () => {};
    store.failure = null;
    set.drop();
  };
  expect(await set.find(key.kid)).toMatchObject({ kid: key.kid });
  expect([store.loads, store.errors.length]).toEqual([2, 1]);
});

test('a load that began before a drop does not restore the dropped keys', async () => {
  const { key, store, set } = await openStore({ isLoaded: false });
  store.meanwhile = () => {
    store.meanwhile = () => {};
    store.keys = [];
    set.drop();
  };
  expect(await set.find(key.kid)).toBeNull();
  expect(store.loads).toBe(2);
  expect(await set.publicJwks()).toEqual([]);
});

test('an unchanged key stays the same object after a drop, and a changed key does not', async () => {
  const { key, found, store, set } = await openStore();
  set.drop();
  expect(await set.find(key.kid)).toBe(found);
  store.keys = [{ publicJwk: { ...newKey().publicJwk, kid: key.kid } }];
  set.drop();
  expect(await set.find(key.kid)).not.toBe(found);
});

test('a key set contains only keys of the allowed algorithms', async () => {
  const key = newKey();
  const set = createKeySet({ load: async () => [key], algorithms: ['RS256'] });
  expect(await set.find(key.kid)).toBeNull();
});

test('the published keys are returned from memory', async () => {
  const { store, set } = await openStore();
  store.nowMs += 2000;
  await set.publicJwks();
  await set.publicJwks();
  expect(store.loads).toBe(1);
});

test('a new key is found while the key set is loaded for another unknown name', async () => {
  const { key, store, set } = await openStore();
  const added = newKey();
  store.keys = [key, added];
  const [other, found] = await Promise.all([set.find(unknown), set.find(added.kid)]);
  expect(other).toBeNull();
  expect(found).toMatchObject({ kid: added.kid });
});

test('a key set that was never reloaded is refused from an age of exactly one day while the store cannot be read', async () => {
  const { key, store, set } = await openStore();
  store.failure = new Error('down');
  store.nowMs += 86_400_000 - 1;
  expect(await set.find(key.kid)).toMatchObject({ kid: key.kid });
  store.nowMs += 1;
  await expect(set.find(key.kid)).rejects.toMatchObject(unavailable);
});

test('a failed load in the background is repeated after one second', async () => {
  const { key, store, set } = await openStore();
  store.failure = new Error('down');
  store.nowMs += 250_000;
  void set.find(key.kid);
  await settle();
  store.nowMs += 999;
  void set.find(key.kid);
  await settle();
  expect(store.loads).toBe(2);
  store.nowMs += 1;
  void set.find(key.kid);
  await settle();
  expect(store.loads).toBe(3);
});
