import { product } from '../../../test/support/product.ts';
import { type SeededInstallation } from '../../../test/support/seed.ts';
import type { UserState } from '../../platform/auth/Viewer.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';
import { assertNotLastAdministrator } from './assertNotLastAdministrator.ts';
import { changeUserState, type StateChange } from './changeUserState.ts';
import { UserModel, type UserRecord } from './model.ts';

const world = product();
const { market } = world;
const actor = { type: 'system', id: 'test' } as const;
const read = async (id: string, at = market): Promise<UserRecord> => {
  const record = await scoped(UserModel, at.installation.id).findOne({ _id: id });
  if (!record) throw new Error('The user is gone.');
  return record;
};
const change = (user: UserRecord, by: StateChange['by'], more: Partial<StateChange> = {}) =>
  changeUserState(
    { installationId: market.installation.id, platform: world.stack.platform },
    user,
    { by, actor, ...more },
    {},
  );

test('a change of state is written with its line, its reason and the version', async () => {
  const { id } = await market.user();
  const suspended = await change(await read(id), 'suspendUser', {
    reason: 'Fraud.',
    set: { timeZone: 'Europe/Paris' },
  });
  expect(suspended).toMatchObject({
    state: 'suspended',
    stateReason: 'Fraud.',
    timeZone: 'Europe/Paris',
    version: 2,
    stateHistory: [
      { state: 'active', by: 'register', actor: { type: 'user', id } },
      { state: 'suspended', by: 'suspendUser', actor, reason: 'Fraud.' },
    ],
  });
  const back = await change(suspended, 'reinstateUser');
  expect(back).toMatchObject({ state: 'active', stateReason: null, version: 3 });
  expect(back.stateHistory.map(({ state }) => state)).toEqual(['active', 'suspended', 'active']);
});

test('of many changes at once one is made, and the others are told the state', async () => {
  const user = await read((await market.user()).id);
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => change(user, 'suspendUser')));
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(refused).toHaveLength(19);
  for (const { code, details } of refused) {
    expect({ code, details }).toEqual({
      code: 'invalid_transition',
      details: {
        allowedFrom: { state: 'suspended', allowed: ['unverified', 'active', 'deletion_scheduled'] },
      },
    });
  }
  expect(await read(user._id)).toMatchObject({ version: 2, stateHistory: { length: 2 } });
});

test('a change that was decided on another state is not made', async () => {
  const user = await read((await market.user()).id);
  await change(user, 'suspendUser');
  await expect(change(user, 'requestAccountDeletion')).rejects.toMatchObject({ code: 'concurrent_update' });
  await expect(change({ ...user, _id: 'usr_nobody' }, 'suspendUser')).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('the history keeps the latest fifty lines', async () => {
  let user = await read((await market.user()).id);
  for (let round = 0; round < 30; round += 1)
    user = await change(await change(user, 'suspendUser'), 'reinstateUser');
  expect(user.stateHistory).toHaveLength(50);
  expect(user.stateHistory.at(-1)).toMatchObject({ state: 'active', by: 'reinstateUser' });
});

test('what was written about a person goes with the account, also where it asked for its deletion first', async () => {
  const { id } = await market.user();
  const suspended = await change(await read(id), 'suspendUser', { reason: 'Called us names.' });
  const leaving = await change(suspended, 'requestAccountDeletion');
  expect(leaving.stateReason).toBe('Called us names.');
  const erased = await change(leaving, 'eraseUser', { set: { displayName: 'Deleted' } });
  expect(erased).toMatchObject({ state: 'deleted', stateReason: null, displayName: 'Deleted' });
  expect(erased.stateHistory).toHaveLength(4);
  expect(JSON.stringify(erased)).not.toContain('names');
});

describe('the last administrator', () => {
  const demote = (at: SeededInstallation, id: string) =>
    inTransaction(async (session) => {
      const users = scoped(UserModel, at.installation.id);
      const user = await users.findOne({ _id: id }, { session });
      if (!user) throw new Error('The user is gone.');
      await assertNotLastAdministrator({ installationId: at.installation.id }, user, session);
      await users.findOneAndUpdate({ _id: id }, { $set: { roles: ['buyer'] } }, { session });
    });
  const inOffice = async (at: SeededInstallation) =>
    scoped(UserModel, at.installation.id).count({ roles: 'installation_admin', state: 'active' });

  test('stays: of fifty demotions of two at once one is made', async () => {
    const here = await world.neighbour();
    const two = [await here.staff('installation_admin'), await here.staff('installation_admin')] as const;
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => demote(here, two[index % 2 === 0 ? 0 : 1].id)),
    );
    expect(await inOffice(here)).toBe(1);
    const codes = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(new Set(codes)).toEqual(new Set(['last_admin']));
  });

  test.each(['suspended', 'unverified', 'deletion_scheduled'] as const)(
    'is not replaced by one who is %s',
    async (state: UserState) => {
      const here = await world.neighbour();
      const last = await here.staff('installation_admin');
      await here.user({ roles: ['installation_admin'], state });
      await expect(demote(here, last.id)).rejects.toMatchObject({ code: 'last_admin' });
      expect(await inOffice(here)).toBe(1);
    },
  );

  test('is one of his own installation', async () => {
    const here = await world.neighbour();
    const last = await here.staff('installation_admin');
    await (await world.neighbour()).staff('installation_admin');
    await expect(demote(here, last.id)).rejects.toMatchObject({ code: 'last_admin' });
  });
});
