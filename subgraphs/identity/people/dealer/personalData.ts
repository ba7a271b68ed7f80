import { scoped } from '../../../platform/installation/scoped.ts';
import type {
  ExportPart,
  LeavingUser,
  Obligation,
  PersonalData,
} from '../../kernel/personal-data/PersonalData.ts';
import { readAll } from '../../kernel/personal-data/readAll.ts';
import { toReadable } from '../../kernel/personal-data/toReadable.ts';
import { UserModel } from '../user/model.ts';
import { DealerModel } from './model.ts';

const dealerMemberships: ExportPart = {
  file: 'dealer-memberships.json',
  title: 'Dealers',
  description: 'Dealers that you act for, with your role. Data of the dealers themselves is not included.',
  collections: ['dealers'],
  async *records({ installationId, user }) {
    const dealers = scoped(DealerModel, installationId);
    for await (const dealer of readAll(dealers, { 'members.userId': user._id }, '_id')) {
      const { _id, tradeName, members } = dealer;
      const membership = members.find(({ userId }) => userId === user._id);
      yield { dealerId: _id, tradeName, ...toReadable(membership ?? {}) };
    }
  },
};

/**
 * Returns open dealers without another remaining owner. Each dealer is written, so that two owners who leave
 * concurrently conflict, and the later one sees the earlier one leave.
 */
async function owes({ installationId, userId, at, session }: LeavingUser): Promise<Obligation[]> {
  const dealers = scoped(DealerModel, installationId);
  const owned = {
    members: { $elemMatch: { userId, role: 'owner' as const } },
    state: { $ne: 'closed' as const },
  };
  if ((await dealers.updateMany(owned, { $set: { updatedAt: at } }, { session })) === 0) return [];
  const found = await dealers.find(owned, {
    projection: { tradeName: 1, members: 1 },
    sort: { _id: 1 },
    session,
  });
  const others = found.flatMap(({ members }) =>
    members
      .filter((member) => member.role === 'owner' && member.userId !== userId)
      .map((member) => member.userId),
  );
  const staying = await scoped(UserModel, installationId).find(
    { _id: { $in: others }, state: { $nin: ['deletion_scheduled', 'deleted'] } },
    { projection: { _id: 1 }, sort: { _id: 1 }, session },
  );
  const stays = new Set(staying.map(({ _id }) => _id));
  return found
    .filter(({ members }) => !members.some(({ role, userId: id }) => role === 'owner' && stays.has(id)))
    .map(({ _id, tradeName }) => ({
      kind: 'sole_dealer_owner',
      id: _id,
      detail: `You are the only owner of "${tradeName}". Make another member an owner, or close the dealer.`,
    }));
}

export const personalData: PersonalData = {
  exports: [dealerMemberships],
  owes,
  kept: 'nothing: erasing the account ends its memberships in the same transaction',
};
