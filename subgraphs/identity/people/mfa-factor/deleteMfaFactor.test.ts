import { activateFactor, enrollFactor } from '../../../../test/support/people/secondFactor.ts';
import { signInAgain } from '../../../../test/support/people/signInAgain.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import { MailModel } from '../../mail/model.ts';
import { UserModel } from '../user/model.ts';

const { market, neighbour, stack } = product();
const user = perTest(() => market.user());

const enrolling = (as = user, { installation } = market) => ({ installation, stack, as });
const mfaOf = async () => (await user.me({}, 'mfa { enabled factors { id } recoveryCodesLeft }')).mfa;
const mails = async () => {
  const sent = await market.records(MailModel).find({ to: user.email }, { sort: { _id: 1 } });
  return sent.map(({ template }) => template);
};

/** Opens a further session of the user. */
const openElsewhere = async () => market.caller((await signInAgain({ stack, market }, user)).accessToken);

test('deleting a factor ends the other sessions, and deleting the last one deletes the recovery codes', async () => {
  const [one, two] = [await activateFactor(enrolling()), await activateFactor(enrolling())];
  const elsewhere = await openElsewhere();
  expect(await user.deleteMfaFactor({ factorId: one.factorId })).toEqual({ deletedFactorId: one.factorId });
  expect(await user.me()).not.toBeRefused();
  expect(await elsewhere.me()).toBeRefused(401, 'session_revoked');
  expect(await mfaOf()).toMatchObject({ enabled: true, recoveryCodesLeft: 10 });
  expect(await user.deleteMfaFactor({ factorId: two.factorId })).not.toBeRefused();
  expect(await mfaOf()).toEqual({ enabled: false, factors: [], recoveryCodesLeft: 0 });
  const [added, removed] = ['mfaFactorAdded', 'mfaFactorRemoved'];
  expect(await mails()).toEqual([added, added, removed, removed]);
  const deleted = { action: 'deleteMfaFactor', 'actor.id': user.id };
  const events = await market.audits(deleted);
  expect(new Set(events.map(({ target }) => target?.id))).toEqual(new Set([one.factorId, two.factorId]));
  expect(await user.deleteMfaFactor({ factorId: two.factorId })).toBeRefused(404, 'not_found');
});

test('deleting a factor that was never verified ends no session and sends no mail', async () => {
  const elsewhere = await openElsewhere();
  const { factorId } = await enrollFactor(enrolling());
  expect(await user.deleteMfaFactor({ factorId })).not.toBeRefused();
  expect(await elsewhere.me()).not.toBeRefused();
  expect(await mails()).toEqual([]);
});

test('deleting the last factor of a user whose role requires one is refused, also concurrently', async () => {
  const strict = await neighbour({ settings: { mfaRequiredRoles: ['moderator'] } });
  const moderator = await strict.user({ roles: ['buyer', 'moderator'] });
  const one = await activateFactor(enrolling(moderator, strict));
  const two = await activateFactor(enrolling(moderator, strict));
  const answers = await Promise.all(
    [one, two].map(({ factorId }) => moderator.deleteMfaFactor({ factorId })),
  );
  expect(answers.filter(isRefused)).toHaveLength(1);
  const record = await strict.records(UserModel).findOne({ _id: moderator.id });
  expect(record?.factors).toHaveLength(1);
  const factorId = record?.factors[0]?.id ?? '';
  expect(await moderator.deleteMfaFactor({ factorId })).toBeRefused(409, 'mfa_required_by_role');
});
