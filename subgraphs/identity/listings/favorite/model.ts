import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import { moneySchema, type StoredMoney } from '../../kernel/money/model.ts';

/** How many listings an account saves at most; one that has vanished counts until it is removed. */
export const favoritesPerUser = 500;

/** Saved listing of a user. It contains only the id of the listing, so it outlives the publication. */
export interface FavoriteRecord {
  /** `favoriteId`: one record for an account and a listing, without an index of its own. */
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

/** Both ids are random, so that no two installations can mean the same. */
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
