import { type RestAnswer } from '../../../test/support/openRestStack.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededUser } from '../../../test/support/seed.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { UserModel } from '../user/model.ts';

const world = product();
const { market } = world;
beforeEach(async () => {
  await scoped(UserModel, market.installation.id).updateMany(
    { roles: 'installation_admin' },
    { $set: { roles: ['buyer'] } },
  );
});

const demote = (by: SeededUser, whom: SeededUser) =>
  world.rest('PUT', `/api/v1/admin/users/${whom.id}/roles`, { token: by.token, body: { roles: ['buyer'] } });
const suspend = (by: SeededUser, whom: SeededUser) =>
  world.rest('POST', `/api/v1/admin/users/${whom.id}/suspend`, {
    token: by.token,
    body: { reason: 'He did it first.' },
  });
const words = ({ status, body }: RestAnswer) => (status < 300 ? `${status}` : `${status} ${body.code}`);
const inOffice = () =>
  scoped(UserModel, market.installation.id).find({ roles: 'installation_admin', state: 'active' });
const administrators = (count: number) =>
  Promise.all(Array.from({ length: count }, () => market.staff('installation_admin')));

/** What is told to somebody who comes too late: he is no administrator any more, is barred, or would be the last. */
const tooLate = ['403 permission_required', '401 session_revoked', '403 account_suspended', '409 last_admin'];

test('of fifty demotions of two administrators by each other at once one has an effect', async () => {
  const [anna, berta] = (await administrators(2)) as [SeededUser, SeededUser];
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => (index % 2 ? demote(anna, berta) : demote(berta, anna))),
  );
  const left = await inOffice();
  expect(left).toHaveLength(1);
  // Whoever is left may have said it again, of somebody who was demoted already.
  expect(left[0]?.version).toBe(1);
  for (const answer of answers) expect(['200', ...tooLate]).toContain(words(answer));
  const events = await scoped(AuditEventModel, market.installation.id).find({
    action: 'setUserRoles',
    reason: 'installation_admin -> buyer',
    'target.id': { $in: [anna.id, berta.id] },
  });
  expect(events).toHaveLength(1);
});

test('of fifty suspensions of two administrators by each other at once one is made', async () => {
  const [anna, berta] = (await administrators(2)) as [SeededUser, SeededUser];
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => (index % 2 ? suspend(anna, berta) : suspend(berta, anna))),
  );
  expect(await inOffice()).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const answer of answers)
    expect(['200', '409 invalid_transition', ...tooLate]).toContain(words(answer));
});

test('of two administrators who leave at once one stays', async () => {
  const [anna, berta] = (await administrators(2)) as [SeededUser, SeededUser];
  const leave = ({ token }: SeededUser) => world.rest('DELETE', '/api/v1/me', { token });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => leave(index % 2 ? anna : berta)),
  );
  expect(await inOffice()).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
  for (const answer of answers)
    expect(['202', '403 account_deletion_scheduled', '409 invalid_transition', '409 last_admin']).toContain(
      words(answer),
    );
});

test('demotions and suspensions all around at once leave somebody in office, round after round', async () => {
  for (let round = 0; round < 3; round += 1) {
    const people = await administrators(4);
    await Promise.all(
      people.flatMap((by, index) =>
        people
          .filter((whom) => whom !== by)
          .map((whom, other) => ((index + other) % 2 ? demote(by, whom) : suspend(by, whom))),
      ),
    );
    const left = await inOffice();
    expect(left.length).toBeGreaterThanOrEqual(1);
    for (const { _id } of left)
      await scoped(UserModel, market.installation.id).updateMany({ _id }, { $set: { roles: ['buyer'] } });
  }
});
