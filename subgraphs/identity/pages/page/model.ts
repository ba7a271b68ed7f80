import { Schema } from 'mongoose';
import { outbox, type RecordWithOutbox } from '../../../platform/events/outbox.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';

export const pageKinds = ['page', 'post'] as const;
export const pageStatuses = ['draft', 'published'] as const;

/** A text of the installation itself, for the editor interfaces to work on. */
export interface PageRecord extends RecordWithOutbox {
  _id: string;
  installationId: string;
  kind: (typeof pageKinds)[number];
  slug: string;
  /** The slug and those before it, the latest first: old addresses lead here, and no other page gets them. */
  slugs: string[];
  title: string;
  /** Sanitised when it was written; lists are read without it. */
  html: string;
  /** UTF-8 bytes of `html`. */
  htmlBytes: number;
  status: (typeof pageStatuses)[number];
  /** `usr_…` who made it; the page stays when the account goes. */
  ownerId: string;
  languageTag: string;
  /** Of the first publication. */
  publishedAt: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const text = { type: String, required: true } as const;

export const PageModel = defineModel<PageRecord>(
  'pages',
  new Schema<PageRecord>({
    _id: String,
    kind: text,
    slug: text,
    slugs: { type: [String], required: true },
    title: text,
    // Empty while nothing is written, which `required` would refuse.
    html: { type: String, default: '' },
    htmlBytes: { type: Number, required: true },
    status: text,
    ownerId: text,
    languageTag: text,
    publishedAt: { type: Date, default: null },
    version: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  })
    .index({ installationId: 1, slugs: 1 }, { unique: true })
    .index({ installationId: 1, status: 1, publishedAt: -1, _id: -1 })
    .index({ installationId: 1, status: 1, kind: 1, publishedAt: -1, _id: -1 })
    .index({ installationId: 1, createdAt: -1, _id: -1 })
    .plugin(outbox),
);
