import { product } from '../../../../test/support/product.ts';
import { changeUserState, type StateChange } from './changeUserState.ts';
import { UserModel, type UserRecord } from './model.ts';

const { market, stack } = product();
const actor = { type: 'system', id: 'test' } as const;
const read = async (id: string): Promise<UserRecord> => {
  const record = await market.records(UserModel).findOne({ _id: id });
  if (!record) throw new Error('The user does not exist.');
  return record;
};
const change = (user: UserRecord, by: StateChange['by'], more: Partial<StateChange> = {}) =>
  changeUserState(
    { installationId: market.installation.id, platform: stack.platform },
    user,
    { by, actor, ...more },
    {},
  );

test('a change of state stores its reason, its history entry and the next version', async () => {
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

test('one of twenty concurrent changes of state succeeds, and the others are refused with the state', async () => {
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

test('a change of state that was decided for another state or a missing user is refused', async () => {
  const user = await read((await market.user()).id);
  await change(user, 'suspendUser');
  await expect(change(user, 'requestAccountDeletion')).rejects.toMatchObject({ code: 'concurrent_update' });
  await expect(change({ ...user, _id: 'usr_nobody' }, 'suspendUser')).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('the history of states keeps the latest fifty entries', async () => {
  let user = await read((await market.user()).id);
  for (let round = 0; round < 30; round += 1)
    user = await change(await change(user, 'suspendUser'), 'reinstateUser');
  expect(user.stateHistory).toHaveLength(50);
  expect(user.stateHistory.at(-1)).toMatchObject({ state: 'active', by: 'reinstateUser' });
});

test('erasing an account deletes the stored reasons of its states', async () => {
  const { id } = await market.user();
  const suspended = await change(await read(id), 'suspendUser', { reason: 'Called us names.' });
  const leaving = await change(suspended, 'requestAccountDeletion');
  expect(leaving.stateReason).toBe('Called us names.');
  const erased = await change(leaving, 'eraseUser', { set: { displayName: 'Deleted' } });
  expect(erased).toMatchObject({ state: 'deleted', stateReason: null, displayName: 'Deleted' });
  expect(erased.stateHistory).toHaveLength(4);
  expect(JSON.stringify(erased)).not.toContain('names');
});
