import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';

/** How often a listing was viewed. */
export interface ListingViewsRecord {
  /** Id of the listing. */
  _id: string;
  installationId: string;
  /** Of all time. */
  views: number;
  /** The latest days that had views, the oldest first; `date` is `YYYY-MM-DD`, UTC. */
  days: { date: string; views: number }[];
}

export const ListingViewsModel = defineModel<ListingViewsRecord>(
  'listing_views',
  new Schema<ListingViewsRecord>({
    _id: String,
    views: { type: Number, required: true },
    days: [new Schema({ date: String, views: Number }, { _id: false, id: false })],
  }),
);
