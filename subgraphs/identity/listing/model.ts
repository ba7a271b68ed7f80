import { Schema } from 'mongoose';
import { defineModel } from '../../platform/mongo/defineModel.ts';
import type { Attributes } from '../category/checkAttributes.ts';
import type { StoredGeo } from '../dealer/model.ts';
import { moneySchema, type StoredMoney } from '../money/model.ts';
import type { ListingState } from './states.ts';

export interface StoredTax {
  mode: 'vat_included' | 'vat_excluded' | 'margin_scheme' | 'none';
  rateBps: number | null;
}

export interface StoredListingLocation {
  postalCode: string | null;
  city: string | null;
  region: string | null;
  country: string | null;
  geo: StoredGeo | null;
  precision: 'exact' | 'approximate';
}

/** What a reviewer looks at: a change of it is a material change. */
export interface MaterialContent {
  categoryId: string | null;
  title: string | null;
  description: string | null;
  languageTag: string;
  condition: 'new' | 'used' | 'refurbished' | 'for_parts' | null;
  attributes: Attributes;
}

/** What owners may change at any time without review. */
interface FreeContent {
  dealerLocationId: string | null;
  stockNumber: string | null;
  price: StoredMoney | null;
  priceType: 'fixed' | 'negotiable' | 'on_request';
  tax: StoredTax;
  location: StoredListingLocation | null;
  contact: { showPhone: boolean; assigneeUserId: string | null };
}

/** Everything of a listing that its owner writes. */
export type ListingContent = MaterialContent & FreeContent;

export interface ListingOwnerRef {
  type: 'user' | 'dealer';
  id: string;
}

interface StoredModeration {
  decision: 'approved' | 'rejected';
  reasonCodes: string[];
  statement: string | null;
  decidedAt: Date;
  revision: number;
  appealUntil: Date | null;
}

export interface ListingRecord extends ListingContent {
  _id: string;
  installationId: string;
  owner: ListingOwnerRef;
  state: ListingState;
  stateReason: string | null;
  moderation: StoredModeration | null;
  /** Number of the latest material change. */
  revision: number;
  /** The reviewed copy that the public sees, while it sees any. */
  published: (MaterialContent & { revision: number }) | null;
  slug: string | null;
  sale: { soldAt: Date } | null;
  publishedAt: Date | null;
  expiresAt: Date | null;
  /** Lower-case words of title and stock number, for the owner's own search. */
  words: string[];
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const embedded = { _id: false, id: false, minimize: false } as const;
const nullable = { type: String, default: null } as const;
const material = {
  categoryId: nullable,
  title: nullable,
  description: nullable,
  languageTag: { type: String, required: true },
  condition: nullable,
  /** Mixed: checked against the category's schema before every write. */
  attributes: { type: Schema.Types.Mixed, required: true },
} as const;
const location = new Schema<StoredListingLocation>(
  {
    postalCode: nullable,
    city: nullable,
    region: nullable,
    country: nullable,
    geo: {
      type: new Schema<StoredGeo>(
        {
          lat: Number,
          lng: Number,
        },
        embedded,
      ),
      default: null,
    },
    precision: {
      type: String,
      required: true,
    },
  },
  embedded,
);
const moderation = new Schema<StoredModeration>(
  {
    decision: String,
    reasonCodes: [String],
    statement: nullable,
    decidedAt: Date,
    revision: Number,
    appealUntil: { type: Date, default: null },
  },
  embedded,
);

export const ListingModel = defineModel<ListingRecord>(
  'listings',
  new Schema<ListingRecord>({
    _id: String,
    owner: { type: { type: String, required: true }, id: { type: String, required: true } },
    dealerLocationId: nullable,
    // Left out, not null, where there is none: the unique index covers strings only.
    stockNumber: { type: String },
    ...material,
    price: { type: moneySchema(), default: null },
    priceType: { type: String, required: true },
    tax: { mode: { type: String, required: true }, rateBps: { type: Number, default: null } },
    location: { type: location, default: null },
    contact: { showPhone: { type: Boolean, required: true }, assigneeUserId: nullable },
    state: { type: String, required: true },
    stateReason: nullable,
    moderation: { type: moderation, default: null },
    revision: { type: Number, required: true },
    published: {
      type: new Schema({ ...material, revision: { type: Number, required: true } }, embedded),
      default: null,
    },
    slug: nullable,
    sale: { type: new Schema({ soldAt: Date }, embedded), default: null },
    publishedAt: { type: Date, default: null },
    expiresAt: { type: Date, default: null },
    words: { type: [String], required: true },
    version: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  })
    .index(
      { installationId: 1, 'owner.id': 1, stockNumber: 1 },
      { unique: true, partialFilterExpression: { stockNumber: { $type: 'string' } } },
    )
    .index({ installationId: 1, 'owner.id': 1, createdAt: -1, _id: -1 })
    .index({ installationId: 1, 'owner.id': 1, updatedAt: -1, _id: -1 })
    .index({ installationId: 1, 'owner.id': 1, state: 1, createdAt: -1, _id: -1 })
    .index({ installationId: 1, 'owner.id': 1, words: 1 })
    .index({ installationId: 1, state: 1, expiresAt: 1, _id: 1 }),
);
