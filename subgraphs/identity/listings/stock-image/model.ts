import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';

/** An image that a dealer's stock named. */
export interface StockImageParent {
  url: string;
  /** Incremented when the image is requested again after a failure. Each round creates a separate file. */
  round: number;
  state: 'pending' | 'taken' | 'failed';
  mediaId: string | null;
  failure: { code: string; detail: string } | null;
  attempts: number;
}

/** The images that a dealer's stock named for one listing. */
export interface StockImagesRecord {
  /** Id of the listing. */
  _id: string;
  installationId: string;
  dealerId: string;
  images: StockImageParent[];
  /** Incremented by requests for other images: a run for the former ones ends without an effect. */
  revision: number;
  /** Time of the next work; null if there is none. */
  dueAt: Date | null;
}

const embedded = { _id: false, id: false } as const;

export const StockImagesModel = defineModel<StockImagesRecord>(
  'stock_images',
  new Schema<StockImagesRecord>({
    _id: String,
    dealerId: { type: String, required: true },
    images: [
      new Schema<StockImageParent>(
        {
          url: { type: String, required: true },
          round: { type: Number, required: true },
          state: { type: String, required: true },
          mediaId: { type: String, default: null },
          failure: { type: new Schema({ code: String, detail: String }, embedded), default: null },
          attempts: { type: Number, required: true },
        },
        embedded,
      ),
    ],
    revision: { type: Number, required: true },
    dueAt: { type: Date, default: null },
  }).index({ installationId: 1, dueAt: 1, _id: 1 }),
);
