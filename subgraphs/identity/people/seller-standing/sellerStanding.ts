import type { ClientSession, UpdateQuery } from 'mongoose';
import { isDuplicateKey, scoped } from '../../../platform/installation/scoped.ts';
import { OwnerModel, type OwnerRecord } from './model.ts';

/** Scope of an owner; a request's context is one. */
interface SellerScope {
  readonly installationId: string;
}

/** Creates the record of an owner if it is missing. Called before the transaction, which only writes it. */
export async function ensureSellerLock({ installationId }: SellerScope, ownerId: string): Promise<void> {
  if (await scoped(OwnerModel, installationId).findOne({ _id: ownerId })) return;
  await insertOwner(installationId, ownerId).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
}

/** Creates the record of a new owner. */
export async function insertOwner(
  installationId: string,
  ownerId: string,
  options: { session?: ClientSession } = {},
): Promise<void> {
  await scoped(OwnerModel, installationId).insert(
    { _id: ownerId, changes: 0, standing: 0, withdrawn: false, unsettled: false, batches: 0 },
    options,
  );
}

/**
 * Writes the record of an owner at the start of a transaction. Of two concurrent transactions, one is retried and sees
 * the changes of the other. `ensureSellerLock` must have created the record.
 */
export function lockSeller(
  place: SellerScope,
  ownerId: string,
  session: ClientSession,
): Promise<OwnerRecord> {
  return update(place, ownerId, session, { $inc: { changes: 1 }, $currentDate: { touchedAt: true } });
}

/**
 * Records that public copies have outdated data of their owner; `refreshPublicListings` updates them.
 *
 * @param withdrawn whether the owner's listings are hidden; unchanged if omitted
 */
export function changeStanding(
  place: SellerScope,
  ownerId: string,
  session: ClientSession,
  withdrawn?: boolean,
): Promise<OwnerRecord> {
  return update(place, ownerId, session, {
    $inc: { changes: 1, standing: 1 },
    $set: { unsettled: true, ...(withdrawn === undefined ? {} : { withdrawn }) },
  });
}

async function update(
  { installationId }: SellerScope,
  ownerId: string,
  session: ClientSession,
  change: UpdateQuery<OwnerRecord>,
): Promise<OwnerRecord> {
  const owner = await scoped(OwnerModel, installationId).findOneAndUpdate({ _id: ownerId }, change, {
    session,
  });
  if (!owner) throw new Error(`The owner ${ownerId} was touched before it was opened.`);
  return owner;
}

/**
 * Hides the listings of a user or dealer from the public without changing their states. Call it in the transaction that
 * suspends the owner, after `ensureSellerLock`. `refreshPublicListings` applies it afterwards, or a job after a crash.
 */
export async function withdrawOwner(
  place: SellerScope,
  ownerId: string,
  session: ClientSession,
): Promise<void> {
  await changeStanding(place, ownerId, session, true);
}

/** Shows published listings of an owner again, if they have not expired. It is used like `withdrawOwner`. */
export async function returnOwner(
  place: SellerScope,
  ownerId: string,
  session: ClientSession,
): Promise<void> {
  await changeStanding(place, ownerId, session, false);
}

/**
 * Claims a batch of public copies for a version of the owner. It conflicts with a newer version, and returns whether
 * the version is still current.
 */
export async function claimBatch(
  { _id, installationId, standing }: OwnerRecord,
  session: ClientSession,
): Promise<boolean> {
  const owners = scoped(OwnerModel, installationId);
  const batch = { $inc: { batches: 1 } };
  return (await owners.findOneAndUpdate({ _id, standing }, batch, { session })) !== null;
}

/** Records that all public copies agree with this standing. */
export async function endRefresh({ _id, installationId, standing }: OwnerRecord): Promise<void> {
  const settled = { $set: { unsettled: false } };
  await scoped(OwnerModel, installationId).findOneAndUpdate({ _id, standing }, settled);
}
