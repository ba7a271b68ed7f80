import type { ClientSession } from 'mongoose';
import { AppError } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { changeListings } from '../listing/lifecycle/changeListings.ts';
import { ListingModel, type ListingRecord } from '../listing/record/model.ts';
import { isAllowed, listingStates } from '../listing/record/states.ts';
import { advance, type ImportRun } from './ImportRun.ts';

/** Maximum percentage of a stock that a feed may omit. A truncated feed omits more. */
const mostAbsentPercent = 30;
const batchSize = 200;

/** A sold listing is kept as the record of the sale; a listing that a payment holds cannot be archived. */
const archivable = listingStates.filter(
  (state) => state !== 'sold' && isAllowed(state, 'archived', 'archiveListing'),
);

type Numbered = Pick<ListingRecord, '_id' | 'stockNumber'>;

/**
 * Checks a full feed before any of its rows is processed.
 *
 * @throws AppError with the reason `too_many_absent`
 */
export async function assertFewAbsent(work: ImportRun, named: ReadonlySet<string>): Promise<void> {
  // A resumed import has passed this check before its first row.
  if (work.record.counts.rows > 0) return;
  const stock = await findStock(work);
  const absent = stock.filter((listing) => isAbsent(listing, named)).length;
  if (absent * 100 <= stock.length * mostAbsentPercent) return;
  const detail = `The feed omits ${absent} of ${stock.length} listings, which is more than ${mostAbsentPercent} %. Nothing was changed. If these listings are no longer in stock, archive them first.`;
  throw new AppError('validation_failed', detail, { reason: 'too_many_absent' });
}

/** Archives the listings that a full feed does not contain, in batches that are counted in their transaction. */
export async function archiveAbsent(work: ImportRun, named: ReadonlySet<string>): Promise<void> {
  const absent = (await findStock(work)).filter((listing) => isAbsent(listing, named));
  for (let start = 0; start < absent.length; start += batchSize) {
    await work.run.assertHeld();
    const ids = absent.slice(start, start + batchSize).map(({ _id }) => _id);
    work.record.counts = await inTransaction((session) => archiveBatch(work, ids, session));
  }
}

/** Returns listings with a stock number. Listings without one were created manually and occur in no feed. */
function findStock(
  { record }: ImportRun,
  narrower: object = {},
  session?: ClientSession,
): Promise<Numbered[]> {
  return scoped(ListingModel, record.installationId).find(
    {
      'owner.id': record.dealerId,
      stockNumber: { $type: 'string' },
      state: { $in: archivable },
      'reservation.paymentId': null,
      ...narrower,
    },
    {
      projection: { stockNumber: 1 },
      ...(session ? { session } : {}),
    },
  );
}

function isAbsent({ stockNumber }: Numbered, named: ReadonlySet<string>): boolean {
  return !named.has(stockNumber ?? '');
}

async function archiveBatch(
  work: ImportRun,
  ids: readonly string[],
  session: ClientSession,
): Promise<ImportRun['record']['counts']> {
  const { record, context } = work;
  const { installationId } = record;
  // Another request may have archived it since.
  const found = await findStock(work, { _id: { $in: [...ids] } }, session);
  if (!record.dryRun && found.length > 0) {
    const at = new Date(context.platform.now());
    const changes = { state: 'archived', stateReason: 'absent_from_feed', reservation: null } as const;
    const gone = found.map(({ _id }) => _id);
    await changeListings({ installationId, ids: gone, at, session }, changes);
  }
  return advance(work, { archived: found.length }, { session, isTold: true });
}
