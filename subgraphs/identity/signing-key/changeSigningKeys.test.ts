import { generateKeyPairSync } from 'node:crypto';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { type SeededInstallation, seed } from '../../../test/support/seed.ts';
import { createSecrets } from '../../platform/secrets/deriveSecret.ts';
import { toPublicJwk } from '../../platform/token/SigningKey.ts';
import { buildIdentity } from '../server.ts';
import { activateNextKey, revokeSigningKey } from './changeSigningKeys.ts';
import { currentSigningKey } from './currentSigningKey.ts';
import { ensureSigningKeys, readKeys } from './ensureSigningKeys.ts';
import { SigningKeyModel } from './model.ts';

const dayMs = 24 * 3600_000;
let stack: TestStack;
let shop: SeededInstallation;

beforeEach(async () => {
  stack = await openTestStack({ subgraphs: [buildIdentity] });
  shop = await seed(stack).installation();
  await SigningKeyModel.deleteMany({});
  await ensureSigningKeys(stack.platform.secrets, now());
});
afterEach(() => stack.close());

const now = (after = 0) => new Date(stack.platform.now() + after);
const kidIn = async (state: string) => (await readKeys()).find((key) => key.state === state)?.kid ?? '';
const me = (token: string) =>
  stack.execute('{ me { id } }', {}, { as: token, installation: shop.installation });
const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
/** Secrets of a process that was given these keys. */
const given = (...keys: ReturnType<typeof newKey>[]) =>
  createSecrets(Buffer.alloc(32, 7), new Map(keys.map((key) => [toPublicJwk(key).kid, key])));

describe('rotating', () => {
  test('lets the published key sign, and nobody is signed out', async () => {
    const { token } = await shop.user();
    const [before, next] = [await kidIn('current'), await kidIn('next')];
    expect(await activateNextKey(stack.platform.secrets, now(dayMs))).toEqual({ signs: next, before });
    expect([await kidIn('current'), await kidIn('previous')]).toEqual([next, before]);
    stack.platform.keys.drop();
    expect((await me(token)).errors).toBeUndefined();
    expect((await me((await shop.user()).token)).errors).toBeUndefined();
  });

  test('refuses a key that was published less than a day ago, unless told otherwise', async () => {
    const next = await kidIn('next');
    const young = activateNextKey(stack.platform.secrets, now(dayMs - 60_000));
    await expect(young).rejects.toThrow(/less than 24 hours ago.*--now/);
    expect(await kidIn('next')).toBe(next);
    expect(await activateNextKey(stack.platform.secrets, now(), { force: true })).toMatchObject({
      signs: next,
    });
  });

  test('in many processes at once leaves one key that signs', async () => {
    const rotate = () => activateNextKey(stack.platform.secrets, now(dayMs)).catch((error: Error) => error);
    await Promise.all([rotate(), rotate(), rotate()]);
    await ensureSigningKeys(stack.platform.secrets, now(dayMs));
    const states = (await readKeys()).map(({ state }) => state);
    expect(states.filter((state) => state === 'current')).toHaveLength(1);
    expect(states.filter((state) => state === 'next')).toHaveLength(1);
  });
});

describe('revoking', () => {
  test('the key that signs ends its tokens at once, and another key signs before it goes', async () => {
    const { token } = await shop.user();
    const [stolen, next] = [await kidIn('current'), await kidIn('next')];
    expect(await revokeSigningKey(stack.platform.secrets, now(), stolen)).toBe(next);
    stack.platform.keys.drop();
    expect(problemOf(await me(token))).toMatchObject({ status: 401, code: 'token_invalid' });
    expect((await me((await shop.user()).token)).errors).toBeUndefined();
    expect(await SigningKeyModel.findOne({ _id: stolen }).lean()).toMatchObject({
      state: 'compromised',
      sealedPrivateKey: null,
      retiredAt: expect.any(Date),
    });
  });

  test('a published key puts another one in its place', async () => {
    const [current, next] = [await kidIn('current'), await kidIn('next')];
    expect(await revokeSigningKey(stack.platform.secrets, now(), next)).toBe(current);
    expect(await kidIn('next')).not.toBe(next);
  });

  test('every key one after the other leaves one that signs', async () => {
    await SigningKeyModel.deleteMany({ state: 'next' });
    const stolen = await kidIn('current');
    const signer = await revokeSigningKey(stack.platform.secrets, now(), stolen);
    expect(signer).not.toBe(stolen);
    expect((await currentSigningKey(stack.platform.secrets)).kid).toBe(signer);
  });

  test('a key that nobody knows, or that is out already, is refused with what to do', async () => {
    const revoke = (kid: string) => revokeSigningKey(stack.platform.secrets, now(), kid);
    await expect(revoke('x')).rejects.toThrow(/no key x.*keys -- list/);
    const kid = await kidIn('next');
    await revoke(kid);
    await expect(revoke(kid)).rejects.toThrow(/compromised/);
  });
});

describe('keys of a file', () => {
  test('stay out of the database', async () => {
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

  test('take over from sealed ones, which leave the database with it', async () => {
    const [key, sealed] = [newKey(), await kidIn('current')];
    await ensureSigningKeys(given(key), now());
    expect(await kidIn('next')).toBe(toPublicJwk(key).kid);
    expect((await currentSigningKey(given(key))).kid).toBe(sealed);
    await activateNextKey(given(key), now(dayMs));
    const stored = await readKeys();
    expect(stored.every(({ sealedPrivateKey }) => sealedPrivateKey === null)).toBe(true);
    expect((await currentSigningKey(given(key))).kid).toBe(toPublicJwk(key).kid);
  });

  test('that only other processes have are neither activated nor retired by this one', async () => {
    await SigningKeyModel.deleteMany({});
    const [old, added] = [newKey(), newKey()];
    await ensureSigningKeys(given(old, added), now());
    expect(await ensureSigningKeys(given(old), now(200 * dayMs))).toBe(false);
    await expect(activateNextKey(given(old), now(dayMs))).rejects.toThrow(/SIGNING_KEY_FILE/);
    expect(await ensureSigningKeys(given(old, added), now(200 * dayMs))).toBe(true);
    expect(await kidIn('current')).toBe(toPublicJwk(added).kid);
    await expect(currentSigningKey(given(old))).rejects.toThrow(/cannot be opened.*SIGNING_KEY_FILE/);
  });

  test('that are revoked never sign again, even while they stand in the file', async () => {
    await SigningKeyModel.deleteMany({});
    const [stolen, spare] = [newKey(), newKey()];
    await ensureSigningKeys(given(stolen, spare), now());
    const secrets = given(stolen, spare);
    expect(await revokeSigningKey(secrets, now(), toPublicJwk(stolen).kid)).toBe(toPublicJwk(spare).kid);
    await ensureSigningKeys(secrets, now());
    expect((await currentSigningKey(secrets)).kid).toBe(toPublicJwk(spare).kid);
    const last = revokeSigningKey(secrets, now(), toPublicJwk(spare).kid);
    await expect(last).rejects.toThrow(/no key signs: add a new one/);
  });
});
