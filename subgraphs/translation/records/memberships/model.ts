import { Schema } from 'mongoose';
import { outbox, type RecordWithOutbox } from '../../../platform/events/outbox.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import type { ObjectType } from '../../objects/ObjectRef.ts';

/**
 * A group stores no members: they are the records with its id. Every link and unlink increments its version first, so
 * that concurrent ones conflict instead of undoing each other.
 */
export interface StoredGroup extends RecordWithOutbox {
  _id: string;
  installationId: string;
  objectType: ObjectType;
  version: number;
  /** Closed: merged into another group, or its last but one member has left. */
  closed: boolean;
  /** Always an open group, or one that was closed later because it had too few members; later merges update it. */
  mergedInto: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Found by `_id`, by the group that it became part of, and in order by the report about all groups. */
export const RelationGroupModel = defineModel<StoredGroup>(
  'relation_groups',
  new Schema<StoredGroup>({
    _id: String,
    objectType: { type: String, required: true },
    version: { type: Number, required: true },
    closed: { type: Boolean, required: true },
    mergedInto: { type: String, default: null },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  })
    .index({ installationId: 1, mergedInto: 1 })
    .index({ installationId: 1, closed: 1, _id: 1 })
    .plugin(outbox),
);
