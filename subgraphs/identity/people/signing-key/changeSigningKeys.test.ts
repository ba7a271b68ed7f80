import { generateKeyPairSync } from 'node:crypto';
import { concurrently } from '../../../../test/support/concurrently.ts';
import { product } from '../../../../test/support/product.ts';
import { createSecrets } from '../../../platform/secrets/deriveSecret.ts';
import { toPublicJwk } from '../../../platform/token/SigningKey.ts';
import { activateNextKey, revokeSigningKey } from './changeSigningKeys.ts';
import { currentSigningKey } from './currentSigningKey.ts';
import { ensureSigningKeys, readKeys } from './ensureSigningKeys.ts';
import { SigningKeyModel } from './model.ts';

const dayMs = 24 * 3600_000;
// Keys belong to the deployment, so the file has a stack of its own.
const { market, stack } = product({});

beforeEach(async () => {
  await SigningKeyModel.deleteMany({});
  await ensure();
  stack.platform.keys.drop();
});

const now = (after = 0) => new Date(stack.platform.now() + after);
const ensure = (after = 0) => ensureSigningKeys(stack.platform.secrets, now(after));
const states = async () => (await readKeys()).map(({ state }) => state).sort();
const publicKeys = async () => (await market.visitor.signingKeys()).keys;
const kidIn = async (state: string) => (await readKeys()).find((key) => key.state === state)?.kid ?? '';
const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
/** The secrets of a process with these keys. */
const given = (...keys: ReturnType<typeof newKey>[]) =>
  createSecrets(Buffer.alloc(32, 7), new Map(keys.map((key) => [toPublicJwk(key).kid, key])));

test('a rotation activates the published key and keeps tokens of the previous one valid', async () => {
  const user = await market.user();
  const [before, next] = [await kidIn('current'), await kidIn('next')];
  expect(await activateNextKey(stack.platform.secrets, now(dayMs))).toEqual({ signs: next, before });
  expect([await kidIn('current'), await kidIn('previous')]).toEqual([next, before]);
  expect(await publicKeys()).toHaveLength(3);
  stack.platform.keys.drop();
  expect(await user.me()).not.toBeRefused();
  const later = await market.user();
  expect(await later.me()).not.toBeRefused();
});

test('a rotation to a key that was published less than a day ago is refused unless forced', async () => {
  const next = await kidIn('next');
  const young = activateNextKey(stack.platform.secrets, now(dayMs - 60_000));
  await expect(young).rejects.toThrow(/less than 24 hours ago.*--now/);
  expect(await kidIn('next')).toBe(next);
  expect(await activateNextKey(stack.platform.secrets, now(), { force: true })).toMatchObject({
    signs: next,
  });
});

test('processes that concurrently start on a new database create one current and one next key', async () => {
  await SigningKeyModel.deleteMany({});
  await concurrently(8, () => ensure());
  expect(await states()).toEqual(['current', 'next']);
});

test('processes that concurrently revoke the last key create one replacement', async () => {
  await SigningKeyModel.deleteMany({ state: 'next' });
  const stolen = await kidIn('current');
  await concurrently(4, () => revokeSigningKey(stack.platform.secrets, now(), stolen).catch(() => undefined));
  expect(await states()).toEqual(['compromised', 'current', 'next']);
});

test('a key can be created in addition to keys that were stored before keys had numbers', async () => {
  await SigningKeyModel.collection.updateMany({}, { $unset: { ordinal: '' } });
  await revokeSigningKey(stack.platform.secrets, now(), await kidIn('current'));
  expect(await states()).toEqual(['compromised', 'current', 'next']);
});

test('concurrent rotations result in one current and one next key', async () => {
  const rotate = () => activateNextKey(stack.platform.secrets, now(dayMs)).catch((error: Error) => error);
  await Promise.all([rotate(), rotate(), rotate()]);
  await ensure(dayMs);
  const states = (await readKeys()).map(({ state }) => state);
  expect(states.filter((state) => state === 'current')).toHaveLength(1);
  expect(states.filter((state) => state === 'next')).toHaveLength(1);
});

test('revoking the current key invalidates its tokens immediately, and another key signs', async () => {
  const user = await market.user();
  const [stolen, next] = [await kidIn('current'), await kidIn('next')];
  expect(await revokeSigningKey(stack.platform.secrets, now(), stolen)).toBe(next);
  stack.platform.keys.drop();
  expect(await user.me()).toBeRefused(401, 'token_invalid');
  const later = await market.user();
  expect(await later.me()).not.toBeRefused();
  expect(await SigningKeyModel.findOne({ _id: stolen }).lean()).toMatchObject({
    state: 'compromised',
    sealedPrivateKey: null,
    retiredAt: expect.any(Date),
  });
});

test('revoking the published key publishes another one', async () => {
  const [current, next] = [await kidIn('current'), await kidIn('next')];
  expect(await revokeSigningKey(stack.platform.secrets, now(), next)).toBe(current);
  expect(await kidIn('next')).not.toBe(next);
});

test('revoking the last key creates a new current one', async () => {
  await SigningKeyModel.deleteMany({ state: 'next' });
  const stolen = await kidIn('current');
  const signer = await revokeSigningKey(stack.platform.secrets, now(), stolen);
  expect(signer).not.toBe(stolen);
  expect((await currentSigningKey(stack.platform.secrets)).kid).toBe(signer);
});

test('revoking an unknown key or a revoked key is refused with the reason', async () => {
  const revoke = (kid: string) => revokeSigningKey(stack.platform.secrets, now(), kid);
  await expect(revoke('x')).rejects.toThrow(/the key x does not exist.*keys -- list/);
  const kid = await kidIn('next');
  await revoke(kid);
  await expect(revoke(kid)).rejects.toThrow(/compromised/);
});

test('keys of a file are not stored in the database', async () => {
  await SigningKeyModel.deleteMany({});
  const [first, second] = [newKey(), newKey()];
  await ensureSigningKeys(given(first, second), now());
  const stored = await readKeys();
  expect(new Map(stored.map(({ kid, state }) => [kid, state]))).toEqual(
    new Map([
      [toPublicJwk(first).kid, 'current'],
      [toPublicJwk(second).kid, 'next'],
    ]),
  );
  expect(stored.every(({ sealedPrivateKey }) => sealedPrivateKey === null)).toBe(true);
  expect(await ensureSigningKeys(given(first, second), now())).toBe(false);
  expect((await currentSigningKey(given(first))).kid).toBe(toPublicJwk(first).kid);
});

test('a key of a file replaces sealed keys, which are removed from the database', async () => {
  const [key, sealed] = [newKey(), await kidIn('current')];
  await ensureSigningKeys(given(key), now());
  expect(await kidIn('next')).toBe(toPublicJwk(key).kid);
  expect((await currentSigningKey(given(key))).kid).toBe(sealed);
  await activateNextKey(given(key), now(dayMs));
  const stored = await readKeys();
  expect(stored.every(({ sealedPrivateKey }) => sealedPrivateKey === null)).toBe(true);
  expect((await currentSigningKey(given(key))).kid).toBe(toPublicJwk(key).kid);
});

test('a process neither activates nor replaces keys that only other processes have', async () => {
  await SigningKeyModel.deleteMany({});
  const [old, added] = [newKey(), newKey()];
  await ensureSigningKeys(given(old, added), now());
  expect(await ensureSigningKeys(given(old), now(200 * dayMs))).toBe(false);
  await expect(activateNextKey(given(old), now(dayMs))).rejects.toThrow(/SIGNING_KEY_FILE/);
  expect(await ensureSigningKeys(given(old, added), now(200 * dayMs))).toBe(true);
  expect(await kidIn('current')).toBe(toPublicJwk(added).kid);
  await expect(currentSigningKey(given(old))).rejects.toThrow(/cannot be opened.*SIGNING_KEY_FILE/);
});

test('a revoked key never signs again, even while it is in the file', async () => {
  await SigningKeyModel.deleteMany({});
  const [stolen, spare] = [newKey(), newKey()];
  await ensureSigningKeys(given(stolen, spare), now());
  const secrets = given(stolen, spare);
  expect(await revokeSigningKey(secrets, now(), toPublicJwk(stolen).kid)).toBe(toPublicJwk(spare).kid);
  await ensureSigningKeys(secrets, now());
  expect((await currentSigningKey(secrets)).kid).toBe(toPublicJwk(spare).kid);
  const last = revokeSigningKey(secrets, now(), toPublicJwk(spare).kid);
  await expect(last).rejects.toThrow(/no key can sign\. Add a new key/);
});

test('the public key set contains only public keys', async () => {
  const keys = await publicKeys();
  expect(keys).toHaveLength(2);
  const members = { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' };
  for (const key of keys)
    expect(key).toMatchObject({ ...members, kid: expect.stringMatching(/^[\w-]{43}$/) });
});

test('a second start does not change the keys', async () => {
  expect(await ensure()).toBe(false);
  expect(await states()).toEqual(['current', 'next']);
});

test('a job rotates the signing key after 90 days and retires the previous one after 2 hours', async () => {
  const signer = await kidIn('current');
  stack.advance(90 * dayMs + 3_600_000);
  await stack.runJob('identity.signing-keys');
  expect(await states()).toEqual(['current', 'next', 'previous']);
  expect(await publicKeys()).toHaveLength(3);
  stack.advance(2 * 3_600_000);
  await stack.runJob('identity.signing-keys');
  expect(await states()).toEqual(['current', 'next', 'retired']);
  expect((await publicKeys()).map(({ kid }) => kid)).not.toContain(signer);
});
