import { Schema } from 'mongoose';
import { outbox, type RecordWithOutbox } from '../../../platform/events/outbox.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import type { FeedFormat } from './feed/readFeed.ts';
import type { ImportState } from './states.ts';

/** Counts of the rows of a feed. `rows` is also the number of processed rows. */
export interface ImportCounts {
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  archived: number;
  failed: number;
}

export interface ImportRecord extends RecordWithOutbox {
  _id: string;
  installationId: string;
  dealerId: string;
  /** The dealer's id while the import is queued or running, left out afterwards: the unique index covers texts only. */
  openFor?: string;
  /** Id of the user or API client who started it: `usr_…` or `cli_…`. */
  startedBy: string;
  uploadId: string;
  format: FeedFormat;
  mode: 'upsert' | 'full';
  dryRun: boolean;
  state: ImportState;
  totalRows: number;
  counts: ImportCounts;
  failure: { code: string; detail: string } | null;
  /** Number of runs that started it. It limits the runs of an import that always crashes its process. */
  attempts: number;
  /** Fencing token of the run that processes it; a later run takes over with a higher one. */
  fence: number;
  /** Grows with every published change. */
  version: number;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** Time when its record is removed. */
  removeAt: Date | null;
}

/** An error in a row, written in the transaction that counts the row. */
export interface ImportErrorRecord {
  _id: string;
  installationId: string;
  importId: string;
  row: number;
  stockNumber: string | null;
  pointer: string;
  code: string;
  detail: string;
  removeAt: Date;
}

/** Bytes that may be put, or were; bytes without an import are removed when they expire. */
export interface FeedUploadRecord {
  _id: string;
  installationId: string;
  dealerId: string;
  format: FeedFormat;
  /** Import of this upload; null before it is imported. */
  importId: string | null;
  /** Result of scanning the bytes; null before. */
  facts: { rows: number; sha256: string } | null;
  createdAt: Date;
  expiresAt: Date;
}

const count = { type: Number, required: true } as const;
const text = { type: String, required: true } as const;

export const ListingImportModel = defineModel<ImportRecord>(
  'listing_imports',
  new Schema<ImportRecord>({
    _id: String,
    dealerId: text,
    openFor: { type: String },
    startedBy: text,
    uploadId: text,
    format: text,
    mode: text,
    dryRun: { type: Boolean, required: true },
    state: text,
    totalRows: count,
    counts: {
      rows: count,
      created: count,
      updated: count,
      unchanged: count,
      archived: count,
      failed: count,
    },
    failure: {
      type: new Schema({ code: String, detail: String }, { _id: false, id: false }),
      default: null,
    },
    attempts: count,
    fence: count,
    version: count,
    createdAt: { type: Date, required: true },
    startedAt: { type: Date, default: null },
    finishedAt: { type: Date, default: null },
    removeAt: { type: Date, default: null },
  })
    .index(
      { installationId: 1, openFor: 1 },
      { unique: true, partialFilterExpression: { openFor: { $type: 'string' } } },
    )
    .index({ installationId: 1, state: 1, _id: 1 })
    .index({ installationId: 1, dealerId: 1, createdAt: -1, _id: -1 })
    .index({ removeAt: 1 }, { expireAfterSeconds: 0 })
    .plugin(outbox),
);

export const ImportErrorModel = defineModel<ImportErrorRecord>(
  'listing_import_errors',
  new Schema<ImportErrorRecord>({
    _id: String,
    importId: text,
    row: count,
    stockNumber: { type: String, default: null },
    pointer: text,
    code: text,
    detail: text,
    removeAt: { type: Date, required: true },
  })
    .index({ installationId: 1, importId: 1, row: 1, _id: 1 })
    .index({ removeAt: 1 }, { expireAfterSeconds: 0 }),
);

export const FeedUploadModel = defineModel<FeedUploadRecord>(
  'feed_uploads',
  new Schema<FeedUploadRecord>({
    _id: String,
    dealerId: text,
    format: text,
    importId: { type: String, default: null },
    facts: { type: new Schema({ rows: Number, sha256: String }, { _id: false, id: false }), default: null },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  })
    .index({ installationId: 1, expiresAt: 1, _id: 1 })
    .index({ installationId: 1, dealerId: 1, expiresAt: 1 }),
);
