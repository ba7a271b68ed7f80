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

/** The newest stored analysis and what it was made of; shows without reading it whether it is still current. */
export interface LatestSnapshot {
  snapshotId: string;
  /** Null for the object's own text, or else the reference of another one in the language. */
  textId: string | null;
  contentVersion: number;
  recordRevision: number;
  ruleset: string;
  /** One more than in the record's analysis before; 0 in the first one. Distinguishes analyses of the same content. */
  repetition: number;
}

/** See `engine/toKey.ts`; made of the fields of the same names, and written with them. */
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
  /** What equal fields of two objects have in common, to find them by; null where there is nothing to compare. */
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
