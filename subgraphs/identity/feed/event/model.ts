import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';

/** An open stream, in any process. */
export interface OpenStreamRecord {
  /** Random identifier. */
  _id: string;
  installationId: string;
  /** Hash of installation and viewer, so that the collection does not reveal who listens. */
  owner: string;
  /** When the token of the stream expires. */
  expiresAt: Date;
}

export const OpenStreamModel = defineModel<OpenStreamRecord>(
  'open_streams',
  new Schema<OpenStreamRecord>({
    _id: String,
    owner: { type: String, required: true },
    expiresAt: { type: Date, required: true },
  })
    .index({ installationId: 1, owner: 1 })
    .index({ expiresAt: 1 }, { expireAfterSeconds: 0 }),
);
