import { Schema } from 'mongoose';
import type { LanguagesContent } from '../../../../schema/events.ts';
import type { ScopedRecord } from '../../../platform/installation/scoped.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';

/** A text that readers of a language see instead of the owner's, from events of the translation subgraph. */
export interface CatalogTextRecord extends ScopedRecord {
  /** `trn_…` */
  _id: string;
  /** Listing that it was written for; while that is not public, readers do not get the text. */
  subjectId: string;
  /** Listings whose readers see the text. */
  objectIds: string[];
  /** BCP 47 tag of the text. */
  languageTag: string;
  title: string;
  description: string;
  contentVersion: number;
}

/** The languages of an installation, from events of the translation subgraph. */
export interface CatalogLanguagesRecord extends ScopedRecord {
  /** Id of the installation. */
  _id: string;
  defaultCode: string;
  languages: LanguagesContent['languages'][number][];
  contentVersion: number;
}

const embedded = { _id: false, id: false } as const;
const text = { type: String, required: true } as const;

export const CatalogTextModel = defineModel<CatalogTextRecord>(
  'catalog_texts',
  new Schema<CatalogTextRecord>({
    _id: String,
    subjectId: text,
    objectIds: { type: [String], required: true },
    languageTag: text,
    title: { type: String },
    description: { type: String },
    contentVersion: { type: Number, required: true },
  })
    .index({ installationId: 1, objectIds: 1 })
    .index({ installationId: 1, subjectId: 1 }),
);

export const CatalogLanguagesModel = defineModel<CatalogLanguagesRecord>(
  'catalog_languages',
  new Schema<CatalogLanguagesRecord>({
    _id: String,
    defaultCode: text,
    languages: [
      new Schema<CatalogLanguagesRecord['languages'][number]>(
        { code: text, languageTag: text, active: { type: Boolean, required: true }, fallbacks: [String] },
        embedded,
      ),
    ],
    contentVersion: { type: Number, required: true },
  }),
);
