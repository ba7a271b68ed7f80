import type { ClientSession, QueryFilter, UpdateQuery } from 'mongoose';
import type { EventType } from '../../../../../schema/events.ts';
import { announce } from '../../../../platform/events/outbox.ts';
import { scoped } from '../../../../platform/installation/scoped.ts';
import { CatalogListingModel } from '../../catalog/public-listing/model.ts';
import { ListingModel, type ListingRecord } from '../record/model.ts';
import { releaseOf } from '../record/releaseOf.ts';
import { publicStates } from '../record/states.ts';
import type { ListingChanges } from './saveListing.ts';

/** Decision about many listings: their new state and its consequences. */
export type BatchChanges = ListingChanges &
  Pick<ListingRecord, 'state'> &
  Partial<Pick<ListingRecord, 'words'>>;

interface Batch {
  installationId: string;
  /** Read in this very transaction: a concurrent change of one of them conflicts with the batch. */
  ids: readonly string[];
  at: Date;
  session: ClientSession;
}

/**
 * Writes the same change for many listings, as `saveListing` does for one: their content is unchanged or removed
 * entirely. One command writes the listings, two if some were publicly visible, and one writes their public copies.
 *
 * @param clears members that the listings lose
 * @param gone whether only their ids may be kept
 */
export async function changeListings(
  { installationId, ids, at, session }: Batch,
  changes: BatchChanges,
  { clears, gone = false }: { clears?: UpdateQuery<ListingRecord>['$unset']; gone?: boolean } = {},
): Promise<void> {
  const filter = { _id: { $in: [...ids] } };
  const releaseFilesAt = releaseOf(changes.state, at);
  const platform = { now: () => at.getTime() };
  const write = (some: QueryFilter<ListingRecord>, type: EventType) =>
    scoped(ListingModel, installationId).updateMany(
      some,
      {
        $set: { ...changes, releaseFilesAt, updatedAt: at },
        ...(clears && { $unset: clears }),
        $inc: { version: 1 },
        $push: announce({ platform }, type),
      },
      { session },
    );
  if (gone) await write(filter, 'object.deleted');
  else if (publicStates.has(changes.state)) await write(filter, 'object.updated');
  else {
    // Unseen listings first, because afterwards the filter matches the others as well.
    await write({ ...filter, state: { $nin: [...publicStates] } }, 'object.updated');
    await write({ ...filter, state: { $in: [...publicStates] } }, 'object.unpublished');
  }
  const copies = scoped(CatalogListingModel, installationId);
  if (publicStates.has(changes.state))
    await copies.updateMany(filter, { $set: { updatedAt: at } }, { session });
  else await copies.deleteMany(filter, { session });
}
