import { Schema } from 'mongoose';
import type { ObjectContent } from '../../../../schema/events.ts';
import type { ScopedRecord } from '../../../platform/installation/scoped.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import type { ObjectType } from '../object/ObjectRef.ts';

/**
 * What this subgraph knows of an object that it does not own, from its events: for lists, for links, and to compare pages
 * with each other. It may be a moment old, so it never decides about a write. The texts themselves are not kept, and
 * nothing but the version is left of an object that is gone.
 */
export interface SeoPage
  extends ScopedRecord,
    Pick<ObjectContent, 'languageTag' | 'visibility' | 'url' | 'slug' | 'title'> {
  objectType: ObjectType;
  /** The record's own id, too. */
  objectId: string;
  contentVersion: number;
  /** No older event brings it back. */
  deleted: boolean;
  /** When it changed last. */
  updatedAt: Date;
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
