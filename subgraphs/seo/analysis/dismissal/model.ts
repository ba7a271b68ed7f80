import { Schema } from 'mongoose';
import type { ScopedRecord } from '../../../platform/installation/scoped.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import type { ObjectType } from '../../pages/object/ObjectRef.ts';

/** A user's statement that a finding about an object needs no change. */
export interface StoredDismissal extends ScopedRecord {
  objectType: ObjectType;
  objectId: string;
  locale: string;
  checkId: string;
  /** Digest of the dismissed finding; another finding is not dismissed. */
  findingDigest: string;
  createdAt: Date;
  /** `usr_…`, `cli_…` or `opr_…`. */
  createdBy: string;
}

export const DismissalModel = defineModel<StoredDismissal>(
  'seo_dismissals',
  new Schema<StoredDismissal>({
    _id: String,
    objectType: { type: String, required: true },
    objectId: { type: String, required: true },
    locale: { type: String, required: true },
    checkId: { type: String, required: true },
    findingDigest: { type: String, required: true },
    createdAt: { type: Date, required: true },
    createdBy: { type: String, required: true },
  }).index({ installationId: 1, objectType: 1, objectId: 1, locale: 1, checkId: 1 }, { unique: true }),
);
