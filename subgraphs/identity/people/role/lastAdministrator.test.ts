import { concurrently } from '../../../../test/support/concurrently.ts';
import { product } from '../../../../test/support/product.ts';
import { isRefused, Refusal } from '../../../../test/support/Refusal.ts';
import type { SeededInstallation, SeededUser } from '../../../../test/support/seed.ts';
import { AuditEventModel } from '../../../platform/audit/store/model.ts';
import { UserModel } from '../user/model.ts';

const { neighbour } = product();
let market: SeededInstallation;
let anna: SeededUser;
let berta: SeededUser;
beforeEach(async () => {
  market = await neighbour();
  anna = await market.staff('installation_admin');
});

const demote = (by: SeededUser, { id: userId }: SeededUser) => by.setUserRoles({ userId, roles: ['BUYER'] });
const suspend = (by: SeededUser, { id: userId }: SeededUser) =>
  by.suspendUser({ userId, reason: 'Suspended first.' });
const administrators = () => market.records(UserModel).find({ roles: 'installation_admin', state: 'active' });
/** The codes of the refusals among the answers. */
const codesOf = (answers: readonly unknown[]) =>
  new Set(answers.flatMap((answer) => (answer instanceof Refusal ? [answer.problem?.code] : [])));
/** The caller is no longer an administrator, is suspended, or would remove the last one. */
const tooLate = ['permission_required', 'session_revoked', 'account_suspended', 'last_admin'];

test('fifty concurrent demotions of two administrators by each other leave one administrator', async () => {
  berta = await market.staff('installation_admin');
  const answers = await concurrently(50, (index) => (index % 2 ? demote(anna, berta) : demote(berta, anna)));
  const left = await administrators();
  expect(left).toHaveLength(1);
  expect(left[0]?.version).toBe(1);
  expect(tooLate).toEqual(expect.arrayContaining([...codesOf(answers)]));
  const change = { action: 'setUserRoles', reason: 'installation_admin -> buyer' };
  expect(await market.records(AuditEventModel).count(change)).toBe(1);
});

test('fifty concurrent suspensions of two administrators by each other leave one administrator', async () => {
  berta = await market.staff('installation_admin');
  const answers = await concurrently(50, (index) =>
    index % 2 ? suspend(anna, berta) : suspend(berta, anna),
  );
  expect(await administrators()).toHaveLength(1);
  expect(answers.filter((answer) => !isRefused(answer))).toHaveLength(1);
  const codes = [...codesOf(answers)];
  expect([...tooLate, 'invalid_transition']).toEqual(expect.arrayContaining(codes));
});

test('one of two administrators who concurrently request the deletion of their accounts is refused', async () => {
  berta = await market.staff('installation_admin');
  const answers = await concurrently(20, (index) => (index % 2 ? anna : berta).requestAccountDeletion({}));
  expect(await administrators()).toHaveLength(1);
  expect(answers.filter((answer) => !isRefused(answer))).toHaveLength(1);
  const refused = ['account_deletion_scheduled', 'invalid_transition', 'last_admin'];
  expect(refused).toEqual(expect.arrayContaining([...codesOf(answers)]));
});

test('concurrent demotions and suspensions among four administrators leave at least one', async () => {
  for (let round = 0; round < 3; round += 1) {
    market = await neighbour();
    const people = await concurrently(4, () => market.staff('installation_admin'));
    const pairs = people.flatMap((by) => people.filter((other) => other !== by).map((other) => [by, other]));
    await Promise.all(
      (pairs as [SeededUser, SeededUser][]).map(([by, other], index) =>
        index % 2 ? demote(by, other) : suspend(by, other),
      ),
    );
    expect((await administrators()).length).toBeGreaterThanOrEqual(1);
  }
});

test.each(['suspended', 'unverified', 'deletion_scheduled'] as const)(
  'an administrator who is %s is not counted as a remaining one',
  async (state) => {
    await market.user({ roles: ['installation_admin'], state });
    expect(await anna.requestAccountDeletion({})).toBeRefused(409, 'last_admin');
    expect(await administrators()).toHaveLength(1);
  },
);

test('an administrator of another installation is not counted as a remaining one', async () => {
  await (await neighbour()).staff('installation_admin');
  expect(await anna.requestAccountDeletion({})).toBeRefused(409, 'last_admin');
});
