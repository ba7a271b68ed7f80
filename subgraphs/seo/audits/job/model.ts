import { Schema } from 'mongoose';
import { outbox, type RecordWithOutbox } from '../../../platform/events/outbox.ts';
import type { ScopedRecord } from '../../../platform/installation/scoped.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import { hourMs } from '../../../platform/time/durations.ts';
import type { Rating } from '../../engine/contract.ts';
import type { ObjectType } from '../../pages/object/ObjectRef.ts';
import type { SeoAuditFilterInput } from '../../seo.generated.ts';
import type { ReasonCode } from './reasons.ts';

export type AuditJobState =
  | 'pending'
  | 'running'
  | 'completed'
  | 'completed_with_errors'
  | 'cancelled'
  | 'expired';

export type AuditItemState = 'queued' | 'processing' | 'succeeded' | 'failed' | 'skipped' | 'cancelled';

/** Visibility of an object, as copies and owners state it. */
export type Visibility = 'PUBLIC' | 'PRIVATE';

/** Number of items of a job by state. */
export type ItemCounts = Readonly<Record<AuditItemState, number>>;

/** Objects that a job was started for: the number of listed ones, or a filter as it was stated. */
export interface StoredSelection {
  items?: number;
  filter?: SeoAuditFilterInput;
  examined?: number;
  locale: string | null;
}

/** Audit job without its items, for lists and events. */
export interface AuditJobHead extends ScopedRecord, RecordWithOutbox {
  /** `usr_…`, the only user who may read or change the job. */
  initiatorId: string;
  state: AuditJobState;
  /** Absent after the end: a unique index allows one open job per initiator. */
  active?: true | undefined;
  /** 0 to 4 while the job is open: a unique index allows five open jobs per installation. */
  slot?: number | undefined;
  selection: StoredSelection;
  /** Visibilities of the filter; null if it states none, or if objects were listed explicitly. */
  visibilities: Visibility[] | null;
  /** Ids of the checks that the summary counts; null for all. */
  checks: string[] | null;
  ruleset: string;
  /** 1, and one more for each retry. */
  round: number;
  total: number;
  /** Derived from the items by each change of them. */
  counts: ItemCounts;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  lastActivityAt: Date;
  cancelReason: string | null;
  /** Grows with every change; a change is written only onto the version that it was computed from. */
  version: number;
}

/** A stored job. */
export interface StoredAuditJob extends AuditJobHead {
  /** Items in the order of the request. Items never move, so their position identifies them. */
  items: readonly AuditItem[];
}

/** One object of a job. Members that an item has no value for are absent or null. */
export interface AuditItem {
  objectType: ObjectType;
  objectId: string;
  locale: string;
  contentVersionAtStart: number | null;
  state: AuditItemState;
  attempts: number;
  /** Batches of this round that ended without a result. */
  lostLeases: number;
  /** Whether it failed and another attempt may succeed. */
  retryable: boolean;
  /** Token of the batch that holds the item; a result with another token is dropped. */
  leaseToken?: string | null;
  /** End of the lease by the clock of the database server. */
  leaseUntil?: Date | null;
  reason?: ReasonCode | null;
  snapshotId?: string | null;
  score?: number | null;
  rating?: Rating | null;
  /** Ids of the checks that were not good, for the summary: stored analyses are pruned. Most reads leave them out. */
  issues?: { bad: string[]; ok: string[] } | null;
  contentVersionAnalysed?: number | null;
  /** Id of the text that was analysed; null for the object's own. */
  textId?: string | null;
  finishedAt?: Date | null;
}

/** States in which a job accepts batches. */
export const openStates: readonly AuditJobState[] = ['pending', 'running'];

/** Maximum number of items of a job. */
export const mostItems = 500;

/** Maximum number of items of a batch. */
export const batchLimit = 5;

/** Attempts after which an item is not retried as failed. */
export const mostAttempts = 5;

/** An open job without activity for this long expires. */
export const idleMs = 24 * hourMs;

/** Period in which an ended job is stored and can be retried. */
export const keptMs = 30 * 24 * hourMs;

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
    counts: { type: Schema.Types.Mixed, required: true },
    // No subschema, because mongoose would build 500 documents for each job that it stores.
    items: { type: Schema.Types.Mixed, required: true },
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
    .index({ finishedAt: 1 }, { expireAfterSeconds: keptMs / 1000 })
    .plugin(outbox),
);
