import { Schema } from 'mongoose';
import type { ScopedRecord } from '../../../platform/installation/scoped.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import type { Analysis } from '../../engine/contract.ts';
import type { ObjectType } from '../../pages/object/ObjectRef.ts';

type StoredAnalysis = Pick<
  Analysis,
  'engineVersion' | 'ruleset' | 'inputHash' | 'profile' | 'language' | 'scores' | 'checks' | 'metrics'
>;

/** Analysis of a saved text. It is written once and never changed; its id is a hash of its inputs. */
export interface StoredSnapshot extends ScopedRecord, StoredAnalysis {
  recordId: string;
  objectType: ObjectType;
  objectId: string;
  /** Reference of another text in the language; null for the object's own text. */
  textId: string | null;
  /** Version of the text. */
  contentVersion: number;
  /** Revision of the SEO fields. */
  recordRevision: number;
  /**
   * Counter that distinguishes analyses of the same content: 0 for the first, incremented for each later one of the
   * record.
   */
  repetition: number;
  source: 'refresh' | 'audit_job';
  createdAt: Date;
  /** `usr_…`, `cli_…` or `opr_…`. */
  createdBy: string;
}

/** Members that a read can leave out: many times as large as the rest, and rarely requested. */
export const findings = ['checks', 'metrics'] as const satisfies (keyof StoredSnapshot)[];

type Finding = (typeof findings)[number];

/** A stored analysis, with or without its findings. */
export type SnapshotHead = Omit<StoredSnapshot, Finding> & Partial<Pick<StoredSnapshot, Finding>>;

export const SnapshotModel = defineModel<StoredSnapshot>(
  'seo_snapshots',
  new Schema<StoredSnapshot>({
    _id: String,
    recordId: { type: String, required: true },
    objectType: { type: String, required: true },
    objectId: { type: String, required: true },
    textId: { type: String, default: null },
    contentVersion: { type: Number, required: true },
    recordRevision: { type: Number, required: true },
    ruleset: { type: String, required: true },
    repetition: { type: Number, required: true },
    source: { type: String, required: true },
    engineVersion: { type: String, required: true },
    inputHash: { type: String, required: true },
    profile: { type: String, required: true },
    language: { type: Schema.Types.Mixed, required: true },
    scores: { type: Schema.Types.Mixed, required: true },
    checks: { type: Schema.Types.Mixed, required: true },
    metrics: { type: Schema.Types.Mixed, required: true },
    createdAt: { type: Date, required: true },
    createdBy: { type: String, required: true },
  }).index({ installationId: 1, recordId: 1, createdAt: -1 }),
);
