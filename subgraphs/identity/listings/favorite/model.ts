import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import { moneySchema, type StoredMoney } from '../../kernel/money/model.ts';

/** Maximum number of favorites of an account. A deleted listing counts until its favorite is removed. */
export const favoritesPerUser = 500;

/** Saved listing of a user. It contains only the id of the listing, so it outlives the publication. */
export interface FavoriteRecord {
  /** Id from `favoriteId`: one record for an account and a listing, without a separate index. */
  _id: string;
  installationId: string;
  userId: string;
  listingId: string;
  /** Private, also to the seller. */
  note: string | null;
  /** Null if the price was on request. */
  priceAtSave: StoredMoney | null;
  savedAt: Date;
}

/** Returns the id of a favorite. Both ids are random, so ids of two installations never collide. */
export function favoriteId(userId: string, listingId: string): string {
  return `${userId}.${listingId}`;
}

export const FavoriteModel = defineModel<FavoriteRecord>(
  'favorites',
  new Schema<FavoriteRecord>({
    _id: String,
    userId: { type: String, required: true },
    listingId: { type: String, required: true },
    note: { type: String, default: null },
    priceAtSave: { type: moneySchema(), default: null },
    savedAt: { type: Date, required: true },
  })
    .index({ installationId: 1, userId: 1, savedAt: -1, _id: -1 })
    .index({ installationId: 1, listingId: 1 }),
);
