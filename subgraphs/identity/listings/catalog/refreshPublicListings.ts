import { isDeepStrictEqual } from 'node:util';
import type { ClientSession } from 'mongoose';
import type { InstallationContext } from '../../../platform/context/InstallationContext.ts';
import type { Platform } from '../../../platform/context/Platform.ts';
import { announce } from '../../../platform/events/outbox.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { reads, scoped } from '../../../platform/installation/scoped.ts';
import type { Job, JobRun } from '../../../platform/jobs/Job.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { DealerModel, type DealerRecord } from '../../people/dealer/model.ts';
import { OwnerModel, type OwnerRecord } from '../../people/seller-standing/model.ts';
import { claimBatch, endRefresh } from '../../people/seller-standing/sellerStanding.ts';
import { UserModel, type UserRecord } from '../../people/user/model.ts';
import { ListingModel } from '../listing/record/model.ts';
import { CatalogListingModel, type CatalogListingRecord } from './public-listing/model.ts';
import { placeOf, sellerNameOf } from './public-listing/toCatalogListing.ts';

/** Copies in a batch. A batch is one read and one command for each type of change. */
const batchSize = 500;

type Copy = Pick<CatalogListingRecord, '_id' | 'withdrawn' | 'seller' | 'dealerLocationId' | 'location'>;
type Members = Partial<Pick<CatalogListingRecord, 'withdrawn' | 'location'>> & { 'seller.name'?: string };
type Seller = DealerRecord | UserRecord | null;

/**
 * Updates the public copies of an owner's listings from the owner's record: visibility, name and location. Called after
 * the transaction that changed the owner. The change is already committed, so failures here do not fail the request;
 * the job completes the rest.
 */
export async function refreshPublicListings(
  { installationId, platform }: InstallationContext,
  ownerId: string,
): Promise<void> {
  try {
    await bringInLine({ installationId, platform }, ownerId, async () => undefined);
  } catch (error) {
    platform.log.warn({ err: error, ownerId }, 'the catalogue is brought in line later');
  }
}

/** Updates copies in repeatable batches. */
async function bringInLine(
  { installationId, platform }: InstallationContext,
  ownerId: string,
  assertHeld: () => Promise<void>,
): Promise<void> {
  const owner = await reads(OwnerModel, installationId).findOne({ _id: ownerId });
  if (!owner?.unsettled) return;
  const seller = await findSeller(owner);
  let after: string | null = '';
  while (after !== null) {
    await assertHeld();
    const position: string = after;
    after = await inTransaction((session) =>
      settleBatch(owner, { seller, platform, after: position }, session),
    );
  }
  await endRefresh(owner);
}

function findSeller({ _id, installationId }: OwnerRecord): Promise<Seller> {
  return isId('dealer', _id)
    ? reads(DealerModel, installationId).findOne({ _id })
    : reads(UserModel, installationId).findOne({ _id });
}

/**
 * Updates a batch and returns its last copy. Null after the last batch, or when a newer change of the owner is being
 * applied.
 */
async function settleBatch(
  owner: OwnerRecord,
  { seller, platform, after }: { seller: Seller; platform: Platform; after: string },
  session: ClientSession,
): Promise<string | null> {
  // A late batch must not undo a newer state. It conflicts here and then finds nothing to do.
  if (!(await claimBatch(owner, session))) return null;
  const { _id, installationId, withdrawn } = owner;
  const catalog = scoped(CatalogListingModel, installationId);
  const copies: Copy[] = await catalog.find(
    { 'seller.id': _id, _id: { $gt: after } },
    {
      projection: { withdrawn: 1, seller: 1, dealerLocationId: 1, location: 1 },
      sort: { _id: 1 },
      limit: batchSize,
      session,
    },
  );
  for (const { ids, members } of findChanges(copies, withdrawn, seller))
    await catalog.updateMany({ _id: { $in: ids } }, { $set: members }, { session });
  const turned = copies.filter((copy) => (copy.withdrawn ?? false) !== withdrawn).map((copy) => copy._id);
  if (turned.length > 0) {
    const type = withdrawn ? 'object.unpublished' : 'object.published';
    await scoped(ListingModel, installationId).updateMany(
      { _id: { $in: turned } },
      { $push: announce({ platform }, type) },
      { session },
    );
  }
  return copies.length < batchSize ? null : (copies.at(-1)?._id ?? null);
}

/** Returns the changes to write, one of each type. */
function findChanges(
  copies: readonly Copy[],
  withdrawn: boolean,
  seller: Seller,
): { ids: string[]; members: Members }[] {
  const name = seller && sellerNameOf(seller);
  const misnamed = copies.filter(
    (copy) => (copy.withdrawn ?? false) !== withdrawn || (name !== null && copy.seller.name !== name),
  );
  const changes: { copies: readonly Copy[]; members: Members }[] = [
    { copies: misnamed, members: { withdrawn, ...(name === null ? {} : { 'seller.name': name }) } },
  ];
  for (const [locationId, there] of Map.groupBy(copies, ({ dealerLocationId }) => dealerLocationId)) {
    const location = seller && placeOf(seller, locationId);
    if (!location) continue;
    const misplaced = there.filter((copy) => !isDeepStrictEqual(copy.location, location));
    changes.push({ copies: misplaced, members: { location } });
  }
  return changes
    .filter((change) => change.copies.length > 0)
    .map((change) => ({ ids: change.copies.map(({ _id }) => _id), members: change.members }));
}

/** Completes the work of a process that ended. */
export const catalogOwnersJob: Job = {
  name: 'identity.catalog-owners',
  everyMs: 30_000,
  async run(run) {
    for (const { id } of run.platform.installations.all) await settleAll(id, run);
  },
};

async function settleAll(installationId: string, { platform, signal, assertHeld }: JobRun): Promise<void> {
  const unsettled = await reads(OwnerModel, installationId).find(
    { unsettled: true },
    { projection: { _id: 1 }, sort: { _id: 1 }, limit: batchSize },
  );
  for (const { _id } of unsettled) {
    if (signal.aborted) return;
    await bringInLine({ installationId, platform }, _id, assertHeld);
  }
}
