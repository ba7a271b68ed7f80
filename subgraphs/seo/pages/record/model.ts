import { Schema } from 'mongoose';
import { outbox, type RecordWithOutbox } from '../../../platform/events/outbox.ts';
import type { ScopedRecord } from '../../../platform/installation/scoped.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import type { ObjectType } from '../object/ObjectRef.ts';

/** The fields that people edit. */
export interface SeoFields {
  keyphrase: string | null;
  synonyms: string[];
  seoTitle: string | null;
  metaDescription: string | null;
  slug: string | null;
  canonicalUrl: string | null;
  noindex: boolean;
  isCornerstone: boolean;
}

/** The latest stored analysis and its inputs, which show whether it is current without reading it. */
export interface LatestSnapshot {
  snapshotId: string;
  /** Reference of another text in the language; null for the object's own text. */
  textId: string | null;
  contentVersion: number;
  recordRevision: number;
  ruleset: string;
  /**
   * Counter that distinguishes analyses of the same content: 0 for the first, incremented for each later one of the
   * record.
   */
  repetition: number;
}

/** Keys of the fields with the same names, and written with them; see `engine/toKey.ts`. */
export interface SeoKeys {
  keyphrase: string | null;
  seoTitle: string | null;
  metaDescription: string | null;
}

/** SEO fields of one object in one language. */
export interface StoredSeoRecord extends ScopedRecord, SeoFields, RecordWithOutbox {
  objectType: ObjectType;
  objectId: string;
  locale: string;
  /** Keys by which objects with equal fields are found; null if a field has nothing to compare. */
  keys: SeoKeys;
  /** 0 while only analyses wrote here. */
  revision: number;
  latest: LatestSnapshot | null;
  createdAt: Date;
  updatedAt: Date;
}

/** State of an object before the first change. */
export const emptyFields: SeoFields = {
  keyphrase: null,
  synonyms: [],
  seoTitle: null,
  metaDescription: null,
  slug: null,
  canonicalUrl: null,
  noindex: false,
  isCornerstone: false,
};

export const emptyKeys: SeoKeys = { keyphrase: null, seoTitle: null, metaDescription: null };

const key = { type: String, default: null } as const;
const keys = new Schema<SeoKeys>({ keyphrase: key, seoTitle: key, metaDescription: key }, { _id: false });

const latest = new Schema<LatestSnapshot>(
  {
    snapshotId: { type: String, required: true },
    textId: { type: String, default: null },
    contentVersion: { type: Number, required: true },
    recordRevision: { type: Number, required: true },
    ruleset: { type: String, required: true },
    repetition: { type: Number, required: true },
  },
  { _id: false },
);

export const SeoRecordModel = defineModel<StoredSeoRecord>(
  'seo_records',
  new Schema<StoredSeoRecord>({
    _id: String,
    objectType: { type: String, required: true },
    objectId: { type: String, required: true },
    locale: { type: String, required: true },
    keyphrase: { type: String, default: null },
    synonyms: { type: [String], required: true },
    seoTitle: { type: String, default: null },
    metaDescription: { type: String, default: null },
    slug: { type: String, default: null },
    canonicalUrl: { type: String, default: null },
    noindex: { type: Boolean, required: true },
    isCornerstone: { type: Boolean, required: true },
    keys: { type: keys, required: true },
    revision: { type: Number, required: true },
    latest: { type: latest, default: null },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  })
    .index({ installationId: 1, objectType: 1, objectId: 1, locale: 1 }, { unique: true })
    .index({ installationId: 1, locale: 1, 'keys.keyphrase': 1 })
    .index({ installationId: 1, locale: 1, 'keys.seoTitle': 1 })
    .index({ installationId: 1, locale: 1, 'keys.metaDescription': 1 })
    // Keyphrases of a language, for suggestions.
    .index({ installationId: 1, locale: 1, keyphrase: 1 })
    .plugin(outbox),
);
