import { Schema } from 'mongoose';
import { defineModel } from '../../platform/mongo/defineModel.ts';
import type { AttributeCondition, Bounds, CatalogQuery, Surroundings } from '../catalog/CatalogSearch.ts';

/** How many searches an account keeps at most. */
export const searchesPerUser = 50;

/** What selects listings, in one spelling: equal searches are equal records. When and in which order is not part of it. */
export type StoredQuery = Omit<CatalogQuery, 'publishedAfter' | 'sort' | 'locale' | 'textsIn'> & {
  /** Null without words. */
  locale: string | null;
};

export interface SavedSearchRecord {
  _id: string;
  installationId: string;
  userId: string;
  name: string;
  query: StoredQuery;
  /** SHA-256 of the query, hexadecimal: one record for an account and a query. */
  fingerprint: string;
  alert: 'none' | 'daily' | 'instant';
  /** Tokens under which it is kept for the matching of new listings; absent unless the alert is instant. */
  anchors?: string[];
  /** When it is looked for new listings next; null unless the alert is daily. */
  alertDueAt: Date | null;
  /** When its owner was mailed last. */
  toldAt: Date | null;
  /** Publication of the latest listing that a daily mail told of. */
  toldUntil: Date | null;
  lastSeenAt: Date;
  createdAt: Date;
}

const embedded = { _id: false, id: false } as const;
const nullable = { type: String, default: null } as const;
const number = { type: Number, default: null } as const;

const query = new Schema<StoredQuery>(
  {
    q: nullable,
    locale: nullable,
    categoryId: nullable,
    currency: nullable,
    priceMin: number,
    priceMax: number,
    conditions: [String],
    priceTypes: [String],
    sellerTypes: [String],
    dealerIds: [String],
    near: {
      type: new Schema<Surroundings>({ lat: Number, lng: Number, radiusKm: Number }, embedded),
      default: null,
    },
    bounds: {
      type: new Schema<Bounds>({ south: Number, west: Number, north: Number, east: Number }, embedded),
      default: null,
    },
    withImages: { type: Boolean, default: null },
    attributes: [
      new Schema<AttributeCondition>(
        { name: { type: String, required: true }, values: [String], all: [String], min: number, max: number },
        embedded,
      ),
    ],
  },
  embedded,
);

export const SavedSearchModel = defineModel<SavedSearchRecord>(
  'saved_searches',
  new Schema<SavedSearchRecord>({
    _id: String,
    userId: { type: String, required: true },
    name: { type: String, required: true },
    query: { type: query, required: true },
    fingerprint: { type: String, required: true },
    alert: { type: String, required: true },
    anchors: { type: [String], default: undefined },
    alertDueAt: { type: Date, default: null },
    toldAt: { type: Date, default: null },
    toldUntil: { type: Date, default: null },
    lastSeenAt: { type: Date, required: true },
    createdAt: { type: Date, required: true },
  })
    .index({ installationId: 1, userId: 1, fingerprint: 1 }, { unique: true })
    .index({ installationId: 1, userId: 1, createdAt: -1, _id: -1 })
    .index({ installationId: 1, anchors: 1, _id: 1 })
    .index({ installationId: 1, alertDueAt: 1, _id: 1 }),
);

/** A new listing that a search with an instant alert has found; kept for a while, so that it is told once. */
export interface SearchHitRecord {
  /** Ids of search and listing with a dot between them. */
  _id: string;
  installationId: string;
  searchId: string;
  userId: string;
  listingId: string;
  /** First publication of the listing. */
  publishedAt: Date;
  /** When it is told, at the earliest; null once that is done. */
  dueAt: Date | null;
  createdAt: Date;
}

/** Longer than listings are new. */
const hitSeconds = 30 * 24 * 3600;

export const SearchHitModel = defineModel<SearchHitRecord>(
  'search_hits',
  new Schema<SearchHitRecord>({
    _id: String,
    searchId: { type: String, required: true },
    userId: { type: String, required: true },
    listingId: { type: String, required: true },
    publishedAt: { type: Date, required: true },
    dueAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
  })
    .index({ installationId: 1, dueAt: 1, _id: 1 })
    .index({ installationId: 1, searchId: 1, dueAt: 1 })
    .index({ installationId: 1, userId: 1 })
    .index({ createdAt: 1 }, { expireAfterSeconds: hitSeconds }),
);
