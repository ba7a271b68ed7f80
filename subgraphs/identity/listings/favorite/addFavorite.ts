import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields, notFound } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { AddFavoriteInput } from '../../identity.generated.ts';
import { checkText } from '../../kernel/text/checkLine.ts';
import { ensureSellerLock, lockSeller } from '../../people/seller-standing/sellerStanding.ts';
import { catalogLoader } from '../catalog/public-listing/catalogLoader.ts';
import type { CatalogListingRecord } from '../catalog/public-listing/model.ts';
import { FavoriteModel, type FavoriteRecord, favoriteId, favoritesPerUser } from './model.ts';

const longestNote = 500;

interface Outcome {
  favorite: FavoriteRecord;
  created: boolean;
}

/** Saves a listing as a favorite. An omitted note is `undefined` and is not changed. */
export async function addFavorite(input: AddFavoriteInput, context: RequestContext): Promise<Outcome> {
  const listing = await context.loader(catalogLoader).load(input.listingId);
  if (!listing) throw notFound('The listing');
  const note = readNote(input.note);
  const saved = await findSaved(listing, note, context);
  return saved ? { favorite: saved, created: false } : save(listing, note, context);
}

/**
 * Returns the normalized note.
 *
 * @throws AppError `validation_failed`
 */
function readNote(text: string | null | undefined): string | null | undefined {
  if (text === null || text === undefined) return text;
  const problems = [...checkText(text, '#/note', { maximum: longestNote })];
  if (problems.length > 0) throw invalidFields(problems);
  return text.trim() === '' ? null : text;
}

/** Returns the existing record, updated with the note if one is given. */
function findSaved(
  { _id: listingId }: CatalogListingRecord,
  note: string | null | undefined,
  { viewer, installationId }: RequestContext,
): Promise<FavoriteRecord | null> {
  const favorites = scoped(FavoriteModel, installationId);
  const own = { _id: favoriteId(viewer.id, listingId) };
  return note === undefined ? favorites.findOne(own) : favorites.findOneAndUpdate(own, { $set: { note } });
}

/**
 * Saves a favorite. Concurrent requests of one account conflict on its record; otherwise each would count without the
 * other.
 */
async function save(
  { _id: listingId, price }: CatalogListingRecord,
  note: string | null | undefined,
  context: RequestContext,
): Promise<Outcome> {
  const { viewer, platform, installationId } = context;
  const favorites = scoped(FavoriteModel, installationId);
  const _id = favoriteId(viewer.id, listingId);
  await ensureSellerLock(context, viewer.id);
  return inTransaction(async (session) => {
    await lockSeller(context, viewer.id, session);
    const earlier = await favorites.findOne({ _id }, { session });
    if (earlier && note === undefined) return { favorite: earlier, created: false };
    if (earlier) {
      const noted = await favorites.findOneAndUpdate({ _id }, { $set: { note } }, { session });
      return { favorite: noted ?? earlier, created: false };
    }
    const count = await favorites.count({ userId: viewer.id }, { limit: favoritesPerUser, session });
    if (count >= favoritesPerUser)
      throw new AppError(
        'favorite_limit',
        `At most ${favoritesPerUser} listings can be saved. Remove one first.`,
      );
    const favorite = await favorites.insert(
      {
        _id,
        userId: viewer.id,
        listingId,
        note: note ?? null,
        priceAtSave: price,
        savedAt: new Date(platform.now()),
      },
      { session },
    );
    return { favorite, created: true };
  });
}
