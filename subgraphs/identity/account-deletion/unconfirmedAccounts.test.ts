import mongoose from 'mongoose';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { type SeededInstallation, seed, unique } from '../../../test/support/seed.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { buildIdentity } from '../server.ts';
import { UserModel } from '../user/model.ts';

const dayMs = 24 * 3_600_000;
let stack: TestStack;
let shop: SeededInstallation;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildIdentity] });
  shop = await seed(stack).installation();
});
afterAll(() => stack.close());

const run = () => stack.runJob('identity.unconfirmed-accounts');
const stateOf = async ({ id }: { id: string }) =>
  (await scoped(UserModel, shop.installation.id).findOne({ _id: id }))?.state;

test('an account that was never confirmed is erased after 30 days, and no other one', async () => {
  const never = await shop.user({ emailVerified: false });
  const others = [
    await shop.user(),
    await shop.user({ emailVerified: false, state: 'suspended' }),
    await shop.user({ emailVerified: false, state: 'deletion_scheduled' }),
  ];
  stack.advance(30 * dayMs - 60_000);
  await run();
  expect(await stateOf(never)).toBe('unverified');
  stack.advance(60_000);
  const late = await shop.user({ emailVerified: false });
  await run();
  expect(await stateOf(never)).toBe('deleted');
  expect(await Promise.all([...others, late].map(stateOf))).toEqual([
    'active',
    'suspended',
    'deletion_scheduled',
    'unverified',
  ]);
  await run();
  expect(await stateOf(late)).toBe('unverified');
});

test('an account that is confirmed in the last moment stays', async () => {
  const user = await shop.user({ emailVerified: false });
  stack.advance(31 * dayMs);
  await scoped(UserModel, shop.installation.id).findOneAndUpdate(
    { _id: user.id },
    { $set: { state: 'active', emailVerified: true } },
  );
  await run();
  expect(await stateOf(user)).toBe('active');
});

test('nothing stays of an address that somebody wanted to change to', async () => {
  const user = await shop.user({ emailVerified: false });
  const email = `${unique('wanted')}@example.test`;
  const { errors } = await stack.execute(
    'mutation ($input: ChangeEmailInput!) { changeEmail(input: $input) { change { email } } }',
    { input: { email } },
    { as: user, installation: shop.installation },
  );
  expect(errors).toBeUndefined();
  expect(await stack.mailsTo(email)).toHaveLength(1);
  stack.advance(31 * dayMs);
  await run();
  const collections = (await mongoose.connection.db?.collections()) ?? [];
  const documents = await Promise.all(collections.map((collection) => collection.find().toArray()));
  expect(JSON.stringify(documents)).not.toContain(email);
});
