import { product } from '../../../test/support/product.ts';
import { goodPassword, openTokenEndpoint, type TokenEndpoint } from '../../../test/support/tokenEndpoint.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { UserModel, type UserRecord } from '../user/model.ts';
import { completeSignIn } from './completeSignIn.ts';
import { SessionModel } from './model.ts';

const world = product();
const { market } = world;
let endpoint: TokenEndpoint;

beforeAll(async () => {
  endpoint = openTokenEndpoint(world.stack, market);
});

const change = `mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { revokedSessionIds } }`;
const liveSessions = async (userId: string) =>
  (await scoped(SessionModel, market.installation.id).find({ userId, revokedAt: null })).map(
    ({ _id }) => _id,
  );

test('whoever signs in with the old password while it is changed is in no session afterwards', async () => {
  for (let round = 0; round < 5; round += 1) {
    const user = await market.user({ password: goodPassword });
    const input = { currentPassword: goodPassword, newPassword: `another-${goodPassword}` };
    const [changed] = await Promise.all([
      world.stack.execute(change, { input }, { ...market, as: user }),
      ...Array.from({ length: 6 }, () => endpoint.firstStep(user)),
    ]);
    expect(changed.errors).toBeUndefined();
    expect(await liveSessions(user.id)).toEqual([user.sessionId]);
  }
});

test.each([
  ['password was changed', { passwordHash: 'another' }],
  ['account was erased', { state: 'deleted' }],
] as const)('a sign-in that was proven before the %s is refused, and its session over', async (_, set) => {
  const user = await market.user({ password: goodPassword });
  const users = scoped(UserModel, market.installation.id);
  const proven = (await users.findOne({ _id: user.id })) as UserRecord;
  await users.findOneAndUpdate({ _id: user.id }, { $set: set });
  const refused = completeSignIn(world.stack.contextFor(market), proven, { amr: ['pwd'] });
  await expect(refused).rejects.toMatchObject({ code: 'invalid_credentials' });
  expect(await liveSessions(user.id)).toEqual([user.sessionId]);
});
