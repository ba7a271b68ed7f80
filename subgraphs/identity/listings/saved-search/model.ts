import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import type { CatalogQuery } from '../catalog/CatalogSearch.ts';
import type { AttributeCondition, Bounds, Surroundings } from '../catalog/columns/query.ts';

/** Maximum number of saved searches of an account. */
export const searchesPerUser = 50;

/** Canonical form of the conditions of a search, without time and order: equal searches are equal records. */
export type StoredQuery = Omit<CatalogQuery, 'publishedAfter' | 'sort' | 'locale' | 'textsIn'> & {
  /** Language of the words; null without words. */
  locale: string | null;
};

export interface SavedSearchRecord {
  _id: string;
  installationId: string;
  userId: string;
  name: string;
  query: StoredQuery;
  /** SHA-256 of the query, hexadecimal; unique within an account. */
  fingerprint: string;
  alert: 'none' | 'daily' | 'instant';
  /** Next run of the alert. For an instant alert, null unless a new listing waits to be mailed. */
  alertDueAt: Date | null;
  /** Time of the last mail. */
  toldAt: Date | null;
  /** Latest publication that alerts have dealt with; null before the first. */
  toldUntil: Date | null;
  /** Latest publication that the owner has seen. */
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
    alertDueAt: { type: Date, default: null },
    toldAt: { type: Date, default: null },
    toldUntil: { type: Date, default: null },
    lastSeenAt: { type: Date, required: true },
    createdAt: { type: Date, required: true },
  })
    .index({ installationId: 1, userId: 1, fingerprint: 1 }, { unique: true })
    .index({ installationId: 1, userId: 1, createdAt: -1, _id: -1 })
    .index({ installationId: 1, alert: 1, _id: 1 })
    .index({ installationId: 1, alertDueAt: 1, _id: 1 }),
);
