import { Schema } from 'mongoose';
import { defineModel } from '../../platform/mongo/defineModel.ts';

/** Views of a listing of all time. */
export interface ListingViewsRecord {
  /** Id of the listing. */
  _id: string;
  installationId: string;
  views: number;
}

/** Views of a listing on one day. */
export interface ListingViewDayRecord {
  /** Id of the listing and date. */
  _id: string;
  installationId: string;
  listingId: string;
  /** `YYYY-MM-DD`, UTC. */
  date: string;
  views: number;
  /** When the day is no longer shown. */
  expiresAt: Date;
}

export const ListingViewsModel = defineModel<ListingViewsRecord>(
  'listing_views',
  new Schema<ListingViewsRecord>({ _id: String, views: { type: Number, required: true } }),
);

export const ListingViewDayModel = defineModel<ListingViewDayRecord>(
  'listing_view_days',
  new Schema<ListingViewDayRecord>({
    _id: String,
    listingId: { type: String, required: true },
    date: { type: String, required: true },
    views: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
  })
    .index({ installationId: 1, listingId: 1, date: 1 })
    .index({ expiresAt: 1 }, { expireAfterSeconds: 0 }),
);
