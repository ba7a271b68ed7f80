import { Schema } from 'mongoose';
import { defineModel } from '../../platform/mongo/defineModel.ts';
import type { ListingOwnerRef } from '../listing/model.ts';

/**
 * A file of a user or dealer, as far as other records refer to it. The rest of it, and the ways in which it gets here,
 * come with the methods for media.
 */
export interface MediaRecord {
  _id: string;
  installationId: string;
  owner: ListingOwnerRef;
  kind: 'image' | 'document' | 'video';
  purpose: 'listing' | 'avatar' | 'logo' | 'verification' | 'message' | 'evidence';
  state: 'awaiting_upload' | 'processing' | 'ready' | 'failed' | 'blocked' | 'deleted' | 'purged';
  filename: string;
  contentType: string;
  byteSize: number;
  createdAt: Date;
}

export const MediaModel = defineModel<MediaRecord>(
  'media',
  new Schema<MediaRecord>({
    _id: String,
    owner: { type: { type: String, required: true }, id: { type: String, required: true } },
    kind: { type: String, required: true },
    purpose: { type: String, required: true },
    state: { type: String, required: true },
    filename: { type: String, required: true },
    contentType: { type: String, required: true },
    byteSize: { type: Number, required: true },
    createdAt: { type: Date, required: true },
  }).index({ installationId: 1, 'owner.id': 1, createdAt: -1, _id: -1 }),
);
