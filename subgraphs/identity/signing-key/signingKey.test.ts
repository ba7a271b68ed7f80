import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { seed } from '../../../test/support/seed.ts';
import { buildIdentity } from '../server.ts';
import { ensureSigningKeys } from './ensureSigningKeys.ts';
import { SigningKeyModel } from './model.ts';

const hour = 3600_000;
let stack: TestStack;

beforeEach(async () => {
  stack = await openTestStack({ subgraphs: [buildIdentity] });
});
afterEach(() => stack.close());

const query = '{ signingKeys { keys { kty crv x y kid alg use } } }';
const kids = async () =>
  (await stack.execute(query)).data?.signingKeys.keys.map(({ kid }: { kid: string }) => kid);
const states = async () =>
  (await SigningKeyModel.find({}).sort({ createdAt: 1, _id: 1 }).lean().exec())
    .map(({ state }) => state)
    .sort();
const ensure = (after = 0) =>
  ensureSigningKeys(stack.platform.secrets, new Date(stack.platform.now() + after));

test('the public set shows the halves that verify, and nothing private', async () => {
  await SigningKeyModel.deleteMany({});
  await ensure();
  const { data, errors } = await stack.execute(query);
  expect(errors).toBeUndefined();
  expect(data?.signingKeys.keys).toHaveLength(2);
  for (const key of data?.signingKeys.keys ?? []) {
    expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
    expect(key.kid).toMatch(/^[\w-]{43}$/);
  }
});

test('a first start makes one key that signs and one for later, a second start nothing', async () => {
  await SigningKeyModel.deleteMany({});
  expect(await ensure()).toBe(true);
  expect(await states()).toEqual(['current', 'next']);
  expect(await ensure()).toBe(false);
});

test('processes that start at once settle on one key that signs', async () => {
  await SigningKeyModel.deleteMany({});
  await Promise.all(Array.from({ length: 4 }, () => ensure()));
  await ensure();
  expect((await states()).filter((state) => state === 'current')).toHaveLength(1);
  expect((await states()).filter((state) => state === 'next')).toHaveLength(1);
});

test('a rotation keeps tokens of the key before good, and signs with the next one', async () => {
  await ensure();
  const shop = await seed(stack).installation();
  const before = await shop.user();
  await ensure(90 * 24 * hour + 25 * hour);
  stack.platform.keys.drop();
  expect(await states()).toEqual(['current', 'next', 'previous']);
  expect(await kids()).toHaveLength(3);
  const after = await shop.user();
  for (const { token, id } of [before, after]) {
    const { data } = await stack.execute('{ me { id } }', {}, { as: token, installation: shop.installation });
    expect(data?.me.id).toBe(id);
  }
  const kidOf = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
  expect(kidOf(after.token)).not.toBe(kidOf(before.token));
});

test('the job rotates when the time has come, and what it published is seen at once', async () => {
  await stack.runJob('identity.signing-keys');
  const signer = await SigningKeyModel.findOne({ state: 'current' }).lean().exec();
  stack.advance(90 * 24 * hour + hour);
  await stack.runJob('identity.signing-keys');
  expect(await states()).toEqual(['current', 'next', 'previous']);
  expect(await kids()).toHaveLength(3);
  stack.advance(2 * hour);
  await stack.runJob('identity.signing-keys');
  expect(await states()).toEqual(['current', 'next', 'retired']);
  expect(await kids()).not.toContain(signer?.kid);
});
