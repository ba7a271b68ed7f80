import { Schema } from 'mongoose';
import { outbox, type RecordWithOutbox } from '../../../platform/events/outbox.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';

export const pageKinds = ['page', 'post'] as const;
export const pageStatuses = ['draft', 'published'] as const;

/** A text page of the installation, which the editor interfaces work on. */
export interface PageRecord extends RecordWithOutbox {
  _id: string;
  installationId: string;
  kind: (typeof pageKinds)[number];
  slug: string;
  /**
   * The current slug, followed by former slugs in descending order. Former URLs lead here, and no other page can take
   * them.
   */
  slugs: string[];
  title: string;
  /** Sanitized when it was written. Lists are read without it. */
  html: string;
  /** UTF-8 bytes of `html`. */
  htmlBytes: number;
  status: (typeof pageStatuses)[number];
  /** `usr_…` of the user who created it. The page stays after the account is deleted. */
  ownerId: string;
  languageTag: string;
  /** Time of the first publication; null before it. */
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
    // Empty before a text is written, which `required` would refuse.
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
