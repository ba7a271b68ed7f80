import { Schema } from 'mongoose';
import { defineModel } from '../../platform/mongo/defineModel.ts';
import type { AttributeCondition, CatalogQuery } from '../catalog/CatalogSearch.ts';

/** How many searches an account keeps at most. */
export const searchesPerUser = 50;

/** What selects listings, in one spelling: equal searches are equal records. When and in which order is not part of it. */
export type StoredQuery = Omit<CatalogQuery, 'publishedAfter' | 'sort' | 'locale'> & {
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
    dealerId: nullable,
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
    lastSeenAt: { type: Date, required: true },
    createdAt: { type: Date, required: true },
  })
    .index({ installationId: 1, userId: 1, fingerprint: 1 }, { unique: true })
    .index({ installationId: 1, userId: 1, createdAt: -1, _id: -1 }),
);
