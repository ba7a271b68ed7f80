import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import type { ReportState } from './states.ts';

/** Types of objects that can be reported. */
export const targetTypes = ['listing', 'dealer', 'user', 'message', 'media', 'decision'] as const;

/** Reasons for a report. */
export const reportReasons = [
  'illegal',
  'fraud',
  'prohibited',
  'miscategorised',
  'harassment',
  'spam',
  'appeal',
  'other',
] as const;

/** Actions for a report. */
export const actionTypes = [
  'approve_listing',
  'reject_listing',
  'suspend_dealer',
  'suspend_user',
  'block_media',
] as const;

export interface StoredTarget {
  type: (typeof targetTypes)[number];
  id: string;
}

export interface StoredReportAction {
  type: (typeof actionTypes)[number];
  targetId: string;
}

interface StoredResolution {
  outcome: 'dismissed' | 'action_taken';
  /** Answer to the reporter. */
  answer: string | null;
  /** Note for the staff. */
  note: string | null;
  actions: StoredReportAction[];
  resolvedBy: string;
}

/** A report by a user, or a notice that was confirmed by mail. */
export interface ReportRecord {
  _id: string;
  installationId: string;
  source: 'report' | 'notice';
  target: StoredTarget;
  /** The listing that counts it among its reports or appeals; null for other targets. */
  listingId: string | null;
  /** Files that must stay while it is not resolved. */
  mediaIds: string[];
  /** Owner of the target; null if it has none, or does not exist. */
  ownerId: string | null;
  reason: (typeof reportReasons)[number];
  text: string | null;
  url: string | null;
  /** Null for a notice, and once the account is erased. */
  reporterId: string | null;
  /** The notice that became this report; only the notice contains the address. */
  noticeId: string | null;
  /**
   * Key that allows one report for each reporter and target while it is unresolved; permanent for an appeal against a
   * decision.
   */
  openKey?: string;
  /** Reported content as it was at that time; only for staff. */
  evidence: object | null;
  state: ReportState;
  reviewedBy: string | null;
  resolution: StoredResolution | null;
  resolvedAt: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** States of a report that needs a decision. */
export const openStates = ['open', 'in_review'] as const satisfies readonly ReportRecord['state'][];

const embedded = { _id: false, id: false } as const;
const nullable = { type: String, default: null } as const;
const resolution = new Schema<StoredResolution>(
  {
    outcome: { type: String, required: true },
    answer: nullable,
    note: nullable,
    actions: [
      new Schema<StoredReportAction>(
        { type: { type: String, required: true }, targetId: { type: String, required: true } },
        embedded,
      ),
    ],
    resolvedBy: { type: String, required: true },
  },
  embedded,
);

export const ReportModel = defineModel<ReportRecord>(
  'reports',
  new Schema<ReportRecord>({
    _id: String,
    source: { type: String, required: true },
    target: { type: { type: String, required: true }, id: { type: String, required: true } },
    listingId: nullable,
    mediaIds: [String],
    ownerId: nullable,
    reason: { type: String, required: true },
    text: nullable,
    url: nullable,
    reporterId: nullable,
    noticeId: nullable,
    openKey: String,
    /** Mixed, because it is a copy of members of another record. */
    evidence: { type: Schema.Types.Mixed, default: null },
    state: { type: String, required: true },
    reviewedBy: nullable,
    resolution: { type: resolution, default: null },
    resolvedAt: { type: Date, default: null },
    version: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  })
    .index(
      { installationId: 1, openKey: 1 },
      { unique: true, partialFilterExpression: { openKey: { $type: 'string' } } },
    )
    .index({ installationId: 1, state: 1, createdAt: 1, _id: 1 })
    .index({ installationId: 1, 'target.id': 1, createdAt: 1, _id: 1 })
    // Partial, so that reports without an owner are not indexed.
    .index(
      { installationId: 1, ownerId: 1, createdAt: 1, _id: 1 },
      { partialFilterExpression: { ownerId: { $gt: '' } } },
    )
    .index({ installationId: 1, reporterId: 1, createdAt: -1, _id: -1 })
    .index({ installationId: 1, resolvedAt: 1, _id: 1 }),
);
