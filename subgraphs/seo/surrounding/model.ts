import { Schema } from 'mongoose';
import type { ScopedRecord } from '../../platform/installation/scoped.ts';
import { defineModel } from '../../platform/mongo/defineModel.ts';
import type { ObjectType } from '../object/ObjectRef.ts';

/**
 * What other pages are compared with, of one object, from its events. Keys and fingerprints only: no text of an object
 * is kept here. It may be a moment old, and it decides about nothing.
 */
export interface IndexedPage extends ScopedRecord {
  objectType: ObjectType;
  objectId: string;
  contentVersion: number;
  /** BCP 47; null for an object that names no language, and for one that is gone. */
  locale: string | null;
  /** Whether readers reach it. */
  published: boolean;
  /** Key of its address (`toAddressKey`); null before there is one. */
  address: string | null;
  titleKey: string | null;
  /** See `engine/text/simHash.ts`; null for a text that is too short to be compared. */
  fingerprint: string | null;
  /** Quarters of the fingerprint. */
  bands: string[];
  /** Keys of the pages of the same site that it links to. */
  links: string[];
  /** Those of them that were known here once and are no more. */
  goneLinks: string[];
}

const text = { type: String, default: null } as const;
const texts = { type: [String], default: [] };

export const IndexedPageModel = defineModel<IndexedPage>(
  'seo_page_index',
  new Schema<IndexedPage>({
    _id: String,
    objectType: { type: String, required: true },
    objectId: { type: String, required: true },
    contentVersion: { type: Number, required: true },
    locale: text,
    published: { type: Boolean, required: true },
    address: text,
    titleKey: text,
    fingerprint: text,
    bands: texts,
    links: texts,
    goneLinks: texts,
  })
    .index({ installationId: 1, titleKey: 1 })
    .index({ installationId: 1, bands: 1 })
    .index({ installationId: 1, address: 1 })
    .index({ installationId: 1, links: 1 })
    .index({ installationId: 1, goneLinks: 1 }),
);
