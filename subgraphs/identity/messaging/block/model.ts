import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';

/** A user's block of another user. */
export interface BlockRecord {
  /** Ids of both users, separated by a dot. */
  _id: string;
  installationId: string;
  userId: string;
  blockedUserId: string;
  createdAt: Date;
}

/** Returns the id of a block. A repeated block has the same id. */
export function blockId(userId: string, blockedUserId: string): string {
  return `${userId}.${blockedUserId}`;
}

export const BlockModel = defineModel<BlockRecord>(
  'blocks',
  new Schema<BlockRecord>({
    _id: String,
    userId: { type: String, required: true },
    blockedUserId: { type: String, required: true },
    createdAt: { type: Date, required: true },
  })
    .index({ installationId: 1, userId: 1, createdAt: -1, _id: -1 })
    .index({ installationId: 1, blockedUserId: 1, userId: 1 }),
);
