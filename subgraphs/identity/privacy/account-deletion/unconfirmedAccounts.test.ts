import { product } from '../../../../test/support/product.ts';
import { unique } from '../../../../test/support/seed.ts';
import { readEverything } from '../../people/mail-link/fixture/readEverything.ts';
import { UserModel } from '../../people/user/model.ts';

const { market, stack } = product();
const dayMs = 24 * 3_600_000;

const run = () => stack.runJob('identity.unconfirmed-accounts');
const stateOf = async ({ id }: { id: string }) =>
  (await market.records(UserModel).findOne({ _id: id }))?.state;

test('an unconfirmed account is erased after 30 days, and no other account', async () => {
  const never = await market.user({ emailVerified: false });
  const others = [
    await market.user(),
    await market.user({ emailVerified: false, state: 'suspended' }),
    await market.user({ emailVerified: false, state: 'deletion_scheduled' }),
  ];
  stack.advance(30 * dayMs - 60_000);
  await run();
  expect(await stateOf(never)).toBe('unverified');
  stack.advance(60_000);
  const late = await market.user({ emailVerified: false });
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

test('an account that is confirmed after 30 days is not erased', async () => {
  const user = await market.user({ emailVerified: false });
  stack.advance(31 * dayMs);
  await market
    .records(UserModel)
    .findOneAndUpdate({ _id: user.id }, { $set: { state: 'active', emailVerified: true } });
  await run();
  expect(await stateOf(user)).toBe('active');
});

test('the erasure of an unconfirmed account deletes the new address of a change', async () => {
  const user = await market.user({ emailVerified: false });
  const email = `${unique('wanted')}@example.test`;
  expect(await user.changeEmail({ email })).not.toBeRefused();
  expect(await stack.mailsTo(email)).toHaveLength(1);
  stack.advance(31 * dayMs);
  await run();
  expect(await readEverything()).not.toContain(email);
});
