import { Schema } from 'mongoose';
import type { ContentDigest } from '../../platform/content/digestOf.ts';
import { outbox, type RecordWithOutbox } from '../../platform/events/outbox.ts';
import { defineModel } from '../../platform/mongo/defineModel.ts';
import type { ObjectType } from '../objects/ObjectRef.ts';
import type { Texts } from '../objects/translatableFields.ts';

/** Statuses as they are stored. */
export const statuses = ['draft', 'in_progress', 'needs_review', 'published', 'archived'] as const;

/** Status of the work on a translation. */
export type Status = (typeof statuses)[number];

/** A change of status. */
export interface StatusStep {
  at: Date;
  by: string;
  from: Status | null;
  to: Status;
  note: string | null;
}

/** Source of a text, and the user who last stated it. */
export interface Derivation extends ContentDigest {
  objectKey: string;
  /** Code of the source's language at that time. */
  language: string | null;
  at: Date;
  by: string;
}

/** A record without its texts and history, which lists do not load. */
export interface TranslationHead {
  _id: string;
  installationId: string;
  objectType: ObjectType;
  /** Id of the object; for a created translation, its own id. */
  objectId: string;
  /** `listing:lst_…` */
  objectKey: string;
  /** Marketplace object that the words belong to; its owner decides about them. */
  subjectId: string;
  /** Owner of that object when the record was written, for work lists only; access is always queried. */
  ownerId: string | null;
  language: string;
  groupId: string | null;
  /** `<groupId>|<language>` in a group, `~<_id>` outside: never absent, so that a plain unique index holds it. */
  slotKey: string;
  isSource: boolean;
  origin: 'linked' | 'created';
  status: Status;
  /** Since when readers get it; null while they do not. */
  liveSince: Date | null;
  publishedAt: Date | null;
  derivedFrom: Derivation | null;
  /** Digest of the texts of a created translation, for translations of it. */
  contentDigest: ContentDigest | null;
  /** Last known comparison with the source, for filters; the truth is compared when it is read. */
  outdated: boolean;
  outdatedSince: Date | null;
  /** Whether a user has marked it as outdated, regardless of the digests. */
  flaggedOutdated: boolean;
  assigneeId: string | null;
  note: string | null;
  dueAt: Date | null;
  objectGoneAt: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  createdBy: string;
  updatedBy: string;
}

/** A record's texts and history. */
export interface TranslationTexts {
  /** Texts in progress. */
  fields: Texts;
  /** Texts that readers get while it is live. */
  publishedFields: Texts | null;
  /** The newest last, at most `longestHistory`. */
  history: StatusStep[];
}

/** An object that has or had a language, a group or a status here. */
export interface StoredTranslation extends TranslationHead, TranslationTexts, RecordWithOutbox {}

/** Maximum number of stored status changes. */
export const longestHistory = 50;

/** Leaves out what only single records need. */
export const headProjection = { fields: 0, publishedFields: 0, history: 0, outbox: 0 } as const;

/** The same with the texts that are being worked on, for lists that show them. */
export const workProjection = { publishedFields: 0, history: 0, outbox: 0 } as const;

/** The same with the texts that readers get. */
export const publicProjection = { fields: 0, history: 0, outbox: 0 } as const;

/** Returns whether a record was read by `readerProjection`, without the members for editors. */
export function isForReader(record: Partial<TranslationHead>): boolean {
  return record.derivedFrom === undefined;
}

/** Members that are needed to choose a text for a reader and to show it, without the text itself. */
export const readerProjection = {
  installationId: 1,
  objectType: 1,
  objectId: 1,
  objectKey: 1,
  subjectId: 1,
  language: 1,
  groupId: 1,
  isSource: 1,
  origin: 1,
  status: 1,
  liveSince: 1,
  publishedAt: 1,
  objectGoneAt: 1,
  version: 1,
  createdAt: 1,
  updatedAt: 1,
} as const satisfies Partial<Record<keyof TranslationHead, 1>>;

const { Mixed } = Schema.Types;
const text = { type: String, default: null };
const time = { type: Date, default: null };

export const TranslationModel = defineModel<StoredTranslation>(
  'translations',
  new Schema<StoredTranslation>({
    _id: String,
    objectType: { type: String, required: true },
    objectId: { type: String, required: true },
    objectKey: { type: String, required: true },
    subjectId: { type: String, required: true },
    ownerId: text,
    language: { type: String, required: true },
    groupId: text,
    slotKey: { type: String, required: true },
    isSource: { type: Boolean, required: true },
    origin: { type: String, required: true },
    status: { type: String, required: true, enum: statuses },
    liveSince: time,
    publishedAt: time,
    derivedFrom: { type: Mixed, default: null },
    contentDigest: { type: Mixed, default: null },
    outdated: { type: Boolean, required: true },
    outdatedSince: time,
    flaggedOutdated: { type: Boolean, required: true },
    assigneeId: text,
    note: text,
    dueAt: time,
    objectGoneAt: time,
    version: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    createdBy: { type: String, required: true },
    updatedBy: { type: String, required: true },
    fields: { type: Mixed, required: true },
    publishedFields: { type: Mixed, default: null },
    history: { type: Mixed, required: true },
  })
    .index({ installationId: 1, objectKey: 1 }, { unique: true })
    .index({ installationId: 1, slotKey: 1 }, { unique: true })
    .index({ installationId: 1, groupId: 1 })
    .index({ installationId: 1, subjectId: 1 })
    .index({ installationId: 1, language: 1, status: 1, updatedAt: 1, _id: 1 })
    .index({ installationId: 1, language: 1, updatedAt: 1, _id: 1 })
    .index({ installationId: 1, status: 1, updatedAt: 1, _id: 1 })
    .index({ installationId: 1, objectType: 1, updatedAt: 1, _id: 1 })
    .index({ installationId: 1, outdated: 1, language: 1, updatedAt: 1, _id: 1 })
    // A partial index of few records, which most writes do not affect.
    .index(
      { installationId: 1, outdated: 1, updatedAt: 1, _id: 1 },
      { partialFilterExpression: { outdated: true } },
    )
    .index({ installationId: 1, assigneeId: 1, updatedAt: 1, _id: 1 })
    .index({ installationId: 1, updatedAt: 1, _id: 1 })
    .index({ installationId: 1, 'derivedFrom.objectKey': 1 })
    .plugin(outbox),
);

/** Returns the value of `slotKey`: one for each language of a group, and a unique one without a group. */
export function slotKeyOf(id: string, groupId: string | null, language: string): string {
  return groupId === null ? `~${id}` : `${groupId}|${language}`;
}
