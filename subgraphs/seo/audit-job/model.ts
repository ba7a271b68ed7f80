import { Schema } from 'mongoose';
import { outbox, type RecordWithOutbox } from '../../platform/events/outbox.ts';
import type { ScopedRecord } from '../../platform/installation/scoped.ts';
import { defineModel } from '../../platform/mongo/defineModel.ts';
import type { Rating } from '../engine/contract.ts';
import type { ObjectType } from '../object/ObjectRef.ts';
import type { ReasonCode } from './reasons.ts';

export type AuditJobState =
  | 'pending'
  | 'running'
  | 'completed'
  | 'completed_with_errors'
  | 'cancelled'
  | 'expired';

export type AuditItemState = 'queued' | 'processing' | 'succeeded' | 'failed' | 'skipped' | 'cancelled';

/** Whom readers reach, as heads and owners write it. */
export type Visibility = 'PUBLIC' | 'PRIVATE';

/** An analysis of many objects; its items are records of their own, its counts are theirs. */
export interface StoredAuditJob extends ScopedRecord, RecordWithOutbox {
  /** `usr_…`; he alone may do anything with it. */
  initiatorId: string;
  state: AuditJobState;
  /** Left out once it has ended: a unique index makes one open job per initiator. */
  active?: true;
  /** 0 to 4 while it is open: another one makes five per installation. */
  slot?: number;
  selection: Readonly<Record<string, unknown>>;
  /** What the filter asked of an object; null where it asked nothing, or objects were named. */
  visibilities: Visibility[] | null;
  /** Ids of the checks that the summary counts; null for all. */
  checks: string[] | null;
  ruleset: string;
  /** Grows before a retry puts items back, so that a batch of an earlier round cannot close the job. */
  round: number;
  total: number;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  lastActivityAt: Date;
  cancelReason: string | null;
  /** Grows with every change that is told. */
  version: number;
}

/** One object of a job. */
export interface StoredAuditItem extends ScopedRecord {
  jobId: string;
  /** From 1. */
  seq: number;
  objectType: ObjectType;
  objectId: string;
  locale: string;
  state: AuditItemState;
  attempts: number;
  /** Batches of this round that vanished with it. */
  lostLeases: number;
  /** Of the batch that holds it: a result that comes with another one is dropped. */
  leaseToken: string | null;
  /** By the clock of the database server. */
  leaseUntil: Date | null;
  reason: ReasonCode | null;
  retryable: boolean;
  snapshotId: string | null;
  score: number | null;
  rating: Rating | null;
  /** Ids of the checks that were not good, for summaries: stored analyses are pruned. */
  issues: { bad: string[]; ok: string[] } | null;
  contentVersionAtStart: number | null;
  contentVersionAnalysed: number | null;
  /** Which text it was; null for the object's own. */
  textId: string | null;
  /** Round in which it was put in the queue last. */
  round: number;
  finishedAt: Date | null;
}

/** States in which a job takes batches. */
export const openStates: readonly AuditJobState[] = ['pending', 'running'];

/** States in which an item is still to be dealt with. */
export const openItemStates: readonly AuditItemState[] = ['queued', 'processing'];

/** Most items of a job. */
export const mostItems = 500;

/** Most items of a batch. */
export const batchLimit = 5;

/** Attempts after which an item is not retried as failed. */
export const mostAttempts = 5;

const text = { type: String, required: true } as const;
const count = { type: Number, required: true } as const;
const date = { type: Date, default: null } as const;

export const AuditJobModel = defineModel<StoredAuditJob>(
  'seo_audit_jobs',
  new Schema<StoredAuditJob>({
    _id: String,
    initiatorId: text,
    state: text,
    active: { type: Boolean },
    slot: { type: Number },
    selection: { type: Schema.Types.Mixed, required: true },
    visibilities: { type: [String], default: null },
    checks: { type: [String], default: null },
    ruleset: text,
    round: count,
    total: count,
    createdAt: { type: Date, required: true },
    startedAt: date,
    finishedAt: date,
    lastActivityAt: { type: Date, required: true },
    cancelReason: { type: String, default: null },
    version: count,
  })
    .index({ installationId: 1, initiatorId: 1 }, { unique: true, partialFilterExpression: { active: true } })
    .index({ installationId: 1, slot: 1 }, { unique: true, partialFilterExpression: { active: true } })
    .index({ installationId: 1, initiatorId: 1, createdAt: -1, _id: -1 })
    .index({ installationId: 1, finishedAt: 1 })
    .plugin(outbox),
);

export const AuditItemModel = defineModel<StoredAuditItem>(
  'seo_audit_items',
  new Schema<StoredAuditItem>({
    _id: String,
    jobId: text,
    seq: count,
    objectType: text,
    objectId: text,
    locale: text,
    state: text,
    attempts: count,
    lostLeases: count,
    leaseToken: { type: String, default: null },
    leaseUntil: date,
    reason: { type: String, default: null },
    retryable: { type: Boolean, required: true },
    snapshotId: { type: String, default: null },
    score: { type: Number, default: null },
    rating: { type: String, default: null },
    issues: { type: new Schema({ bad: [String], ok: [String] }, { _id: false, id: false }), default: null },
    contentVersionAtStart: { type: Number, default: null },
    contentVersionAnalysed: { type: Number, default: null },
    textId: { type: String, default: null },
    round: count,
    finishedAt: date,
  })
    .index({ installationId: 1, jobId: 1, seq: 1, _id: 1 })
    .index({ installationId: 1, jobId: 1, state: 1, seq: 1, _id: 1 })
    .index({ installationId: 1, jobId: 1, objectType: 1, objectId: 1, locale: 1 }, { unique: true }),
);
