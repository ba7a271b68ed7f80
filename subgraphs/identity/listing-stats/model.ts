import { Schema } from 'mongoose';
import { defineModel } from '../../platform/mongo/defineModel.ts';

/** Views of one listing on one day that one process has seen. */
export interface ViewCount {
  listingId: string;
  /** `YYYY-MM-DD`, UTC. */
  date: string;
  views: number;
}

/** What one process has seen in a short time. It is written once and removed when it is counted. */
interface ViewBatchRecord {
  /** Random: a repeated write is the same batch. */
  _id: string;
  installationId: string;
  counts: ViewCount[];
}

/** How a listing is received, as far as it is counted. */
export interface ListingViewsRecord {
  /** Id of the listing. */
  _id: string;
  installationId: string;
  /** Of all time. */
  views: number;
  /** The latest days that had views, the oldest first. */
  days: { date: string; views: number }[];
}

const embedded = { _id: false, id: false } as const;

export const ViewBatchModel = defineModel<ViewBatchRecord>(
  'listing_view_batches',
  new Schema<ViewBatchRecord>({
    _id: String,
    counts: [new Schema<ViewCount>({ listingId: String, date: String, views: Number }, embedded)],
  }).index({ installationId: 1, _id: 1 }),
);

export const ListingViewsModel = defineModel<ListingViewsRecord>(
  'listing_views',
  new Schema<ListingViewsRecord>({
    _id: String,
    views: { type: Number, required: true },
    days: [new Schema({ date: String, views: Number }, embedded)],
  }),
);
