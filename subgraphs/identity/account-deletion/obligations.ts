import type { ClientSession } from 'mongoose';
import { AppError } from '../../platform/errors/AppError.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { DealerModel } from '../dealer/model.ts';
import { openPaymentsOf } from '../payment/openPayments.ts';
import { UserModel } from '../user/model.ts';

/** What somebody still owes or holds, as he is told. */
export interface Obligation {
  /** Name of the check. */
  kind: string;
  /** What it is about. */
  id: string;
  detail: string;
}

/** Whose obligations, within the transaction that would let him go. */
interface Leaving {
  installationId: string;
  userId: string;
  at: Date;
  session: ClientSession;
}

/** What keeps an account from being deleted. A resource that others rely on adds a line. */
const checks: readonly ((leaving: Leaving) => Promise<Obligation[]>)[] = [
  findOrphanedDealers,
  findOpenPayments,
];

/** @throws AppError `open_obligations` with all of them at once */
export async function assertNoObligations(leaving: Leaving): Promise<void> {
  const found: Obligation[] = [];
  for (const check of checks) found.push(...(await check(leaving)));
  if (found.length === 0) return;
  throw new AppError('open_obligations', 'Something still depends on this account: settle it first.', {
    obligations: found.slice(0, 100),
  });
}

/** Money that is put aside for something would be taken from somebody who is gone. */
async function findOpenPayments({ installationId, userId, session }: Leaving): Promise<Obligation[]> {
  const found = await openPaymentsOf(installationId, userId, session);
  return found.map(({ _id }) => ({
    kind: 'open_payment',
    id: _id,
    detail: 'A payment is under way: it must be captured or canceled first.',
  }));
}

/**
 * Dealers that are not closed and have no other owner who stays. Touching each of them makes two owners who leave at
 * once meet: one after the other they see each other going.
 */
async function findOrphanedDealers({ installationId, userId, at, session }: Leaving): Promise<Obligation[]> {
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
      detail: `You are the only owner of "${tradeName}": appoint another one or close it.`,
    }));
}
