import { Schema } from 'mongoose';
import { outbox, type RecordWithOutbox } from '../../../../platform/events/outbox.ts';
import { defineModel } from '../../../../platform/mongo/defineModel.ts';
import { moneySchema, type StoredMoney } from '../../../kernel/money/model.ts';
import type { OwnerRef } from '../../../kernel/owner/OwnerRef.ts';
import type { StoredGeo } from '../../../people/dealer/model.ts';
import type { Attributes } from '../../category/checkAttributes.ts';
import type { ExpiryNotice } from './noticeOf.ts';
import type { PriceHistory } from './priceHistory.ts';
import type { ListingState } from './states.ts';
import type { ListingFlag } from './toQueue.ts';

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

/** A file and its position; the first image is the cover. */
export interface StoredListingMedia {
  mediaId: string;
  /** Type detected from the bytes. */
  kind: 'image' | 'video';
  /** Overrides the file's own text; null to use that. */
  altText: string | null;
}

/** Members that are reviewed: a change of them is a material change. */
export interface MaterialContent {
  categoryId: string | null;
  title: string | null;
  description: string | null;
  languageTag: string;
  condition: 'new' | 'used' | 'refurbished' | 'for_parts' | null;
  attributes: Attributes;
  /** Files in display order. */
  media: StoredListingMedia[];
}

/** Members that owners may change without review. */
interface FreeContent {
  dealerLocationId: string | null;
  stockNumber: string | null;
  price: StoredMoney | null;
  priceType: 'fixed' | 'negotiable' | 'on_request';
  tax: StoredTax;
  location: StoredListingLocation | null;
  contact: { showPhone: boolean; assigneeUserId: string | null };
}

/** All content that the owner of a listing writes. */
export type ListingContent = MaterialContent & FreeContent;

/** Reasons for rejecting a listing. */
export const rejectionReasons = [
  'illegal',
  'fraud',
  'prohibited',
  'miscategorised',
  'misleading',
  'infringement',
  'harassment',
  'spam',
  'duplicate',
  'incomplete',
  'other',
] as const;

export interface StoredModeration {
  /** `dec_…`, by which its owner appeals. */
  id: string;
  decision: 'approved' | 'rejected';
  reasonCodes: (typeof rejectionReasons)[number][];
  statement: string | null;
  decidedAt: Date;
  revision: number;
  appealUntil: Date | null;
}

/** The buyer or conversation for which a listing is reserved. */
interface StoredReservation {
  until: Date;
  conversationId: string | null;
  buyerUserId: string | null;
  /** While a payment holds it, neither its owner nor the time ends it. */
  paymentId: string | null;
}

interface StoredSale {
  soldAt: Date;
  channel: 'platform' | 'elsewhere';
  price: StoredMoney | null;
  buyerUserId: string | null;
}

interface StoredPromotion {
  kind: 'featured' | 'top';
  until: Date;
}

export interface ListingRecord extends ListingContent, RecordWithOutbox {
  _id: string;
  installationId: string;
  owner: OwnerRef;
  state: ListingState;
  stateReason: string | null;
  moderation: StoredModeration | null;
  /** Number of the latest material change. */
  revision: number;
  /** The reviewed copy that the public sees, while it sees any. */
  published: (MaterialContent & { revision: number }) | null;
  slug: string | null;
  /** Number of unresolved reports and appeals about it; omitted if there are none. */
  openReports?: number;
  openAppeals?: number;
  /** Kept by `toQueue`, as is the next one; left out before its first change. */
  flags?: ListingFlag[];
  /** Since when it has waited for a moderator; null if it is not in the queue. */
  queuedAt?: Date | null;
  /** Set in the state `reserved` and in no other. */
  reservation: StoredReservation | null;
  sale: StoredSale | null;
  /** Paid placement; null if there is none. */
  promotion: StoredPromotion | null;
  publishedAt: Date | null;
  expiresAt: Date | null;
  renewedAt: Date | null;
  /** Latest notice about `expiresAt` that was sent; see `noticeOf`. */
  expiryNotice: ExpiryNotice | null;
  /** The published price; null before the first publication. */
  priceHistory: PriceHistory | null;
  /** Time when its files are released after it was archived; null before and after. */
  releaseFilesAt: Date | null;
  /** Lower-case words of title and stock number, for the owner's own search. */
  words: string[];
  /** The row of a feed that the listing was last updated from, and the version after it; omitted if there was none. */
  stockDigest?: { digest: string; version: number };
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const embedded = { _id: false, id: false, minimize: false } as const;
const nullable = { type: String, default: null } as const;
/** Files of a listing, and of its public copy. */
export const listingMedia = new Schema<StoredListingMedia>(
  { mediaId: { type: String, required: true }, kind: { type: String, required: true }, altText: nullable },
  embedded,
);
const material = {
  categoryId: nullable,
  title: nullable,
  description: nullable,
  languageTag: { type: String, required: true },
  condition: nullable,
  /** Mixed: checked against the category's schema before every write. */
  attributes: { type: Schema.Types.Mixed, required: true },
  media: [listingMedia],
} as const;
const location = new Schema<StoredListingLocation>(
  {
    postalCode: nullable,
    city: nullable,
    region: nullable,
    country: nullable,
    geo: {
      type: new Schema<StoredGeo>({ lat: Number, lng: Number }, embedded),
      default: null,
    },
    precision: { type: String, required: true },
  },
  embedded,
);
const moderation = new Schema<StoredModeration>(
  {
    id: String,
    decision: String,
    reasonCodes: [String],
    statement: nullable,
    decidedAt: Date,
    revision: Number,
    appealUntil: { type: Date, default: null },
  },
  embedded,
);
const reservation = new Schema<StoredReservation>(
  {
    until: { type: Date, required: true },
    conversationId: nullable,
    buyerUserId: nullable,
    paymentId: nullable,
  },
  embedded,
);
const sale = new Schema<StoredSale>(
  {
    soldAt: { type: Date, required: true },
    channel: { type: String, required: true },
    price: { type: moneySchema(), default: null },
    buyerUserId: nullable,
  },
  embedded,
);
const promotion = new Schema<StoredPromotion>({ kind: String, until: Date }, embedded);
const priceHistory = new Schema<PriceHistory>(
  {
    price: { type: moneySchema(), required: true },
    shownUntil: { type: Date, default: null },
    lowestBefore: { type: Number, default: null },
    past: [new Schema({ amount: Number, until: Date }, embedded)],
  },
  embedded,
);

/** An index of the few records that have this date. */
const whereDated = (key: string) => ({ partialFilterExpression: { [key]: { $type: 'date' } } });

export const ListingModel = defineModel<ListingRecord>(
  'listings',
  new Schema<ListingRecord>({
    _id: String,
    owner: { type: { type: String, required: true }, id: { type: String, required: true } },
    dealerLocationId: nullable,
    // Omitted instead of null if there is none, because the unique index covers only strings.
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
    openReports: Number,
    openAppeals: Number,
    flags: { type: [String], default: undefined },
    queuedAt: Date,
    reservation: { type: reservation, default: null },
    sale: { type: sale, default: null },
    promotion: { type: promotion, default: null },
    publishedAt: { type: Date, default: null },
    expiresAt: { type: Date, default: null },
    renewedAt: { type: Date, default: null },
    expiryNotice: nullable,
    priceHistory: { type: priceHistory, default: null },
    releaseFilesAt: { type: Date, default: null },
    words: { type: [String], required: true },
    stockDigest: {
      type: new Schema({ digest: String, version: Number }, embedded),
      default: undefined,
    },
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
    .index({ installationId: 1, state: 1, expiresAt: 1, _id: 1 })
    .index({ installationId: 1, state: 1, expiryNotice: 1, expiresAt: 1 })
    .index({ installationId: 1, state: 1, updatedAt: -1, _id: -1 })
    // Partial indexes: few listings are reserved, archived, in moderation, or were ever decided on.
    .index({ installationId: 1, releaseFilesAt: 1, _id: 1 }, whereDated('releaseFilesAt'))
    .index({ installationId: 1, 'reservation.until': 1, _id: 1 }, whereDated('reservation.until'))
    .index({ installationId: 1, queuedAt: 1, _id: 1 }, whereDated('queuedAt'))
    .index(
      { installationId: 1, 'moderation.id': 1 },
      { partialFilterExpression: { 'moderation.id': { $exists: true } } },
    )
    .plugin(outbox),
);
