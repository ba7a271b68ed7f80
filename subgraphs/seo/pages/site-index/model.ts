import { Schema } from 'mongoose';
import type { ObjectContent } from '../../../../schema/events.ts';
import type { ScopedRecord } from '../../../platform/installation/scoped.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import type { ObjectType } from '../object/ObjectRef.ts';

/**
 * Data of objects of other subgraphs, from their events: for lists, for links, and to compare pages. It may be slightly
 * outdated, so it never decides about a write. The texts are not stored, and of a deleted object only the version is
 * kept.
 */
export interface SeoPage
  extends ScopedRecord,
    Pick<ObjectContent, 'languageTag' | 'visibility' | 'url' | 'slug' | 'title'> {
  objectType: ObjectType;
  /** Id of the object and of the record. */
  objectId: string;
  contentVersion: number;
  /** Whether the object is deleted; no older event restores it. */
  deleted: boolean;
  /** Time of the last change. */
  updatedAt: Date;
  /** Key of its URL (`toAddressKey`); null before it has one. */
  address: string | null;
  titleKey: string | null;
  /** Fingerprint, see `engine/text/simHash.ts`; null for a text that is too short. */
  fingerprint: string | null;
  /** Quarters of the fingerprint. */
  bands: string[];
  /** Keys of the pages of the same site that it links to. */
  links: string[];
  /** Links to pages that were once known and no longer exist. */
  goneLinks: string[];
}

const text = { type: String, default: null } as const;
const texts = { type: [String], default: [] };

export const SeoPageModel = defineModel<SeoPage>(
  'seo_pages',
  new Schema<SeoPage>({
    _id: String,
    objectType: { type: String, required: true },
    objectId: { type: String, required: true },
    contentVersion: { type: Number, required: true },
    deleted: { type: Boolean, required: true },
    updatedAt: { type: Date, required: true },
    languageTag: text,
    visibility: { type: String, required: true },
    url: text,
    slug: text,
    title: { type: String, default: '' },
    address: text,
    titleKey: text,
    fingerprint: text,
    bands: texts,
    links: texts,
    goneLinks: texts,
  })
    .index({ installationId: 1, objectType: 1, _id: 1 })
    .index({ installationId: 1, titleKey: 1 })
    .index({ installationId: 1, bands: 1 })
    .index({ installationId: 1, address: 1 })
    .index({ installationId: 1, links: 1 })
    .index({ installationId: 1, goneLinks: 1 }),
);
