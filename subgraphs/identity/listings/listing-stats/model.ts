import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';

/** View counters of a listing. */
export interface ListingViewsRecord {
  /** Id of the listing. */
  _id: string;
  installationId: string;
  /** Total number of views. */
  views: number;
  /** The latest days with views, in ascending order; `date` is `YYYY-MM-DD`, UTC. */
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
