import { Schema } from 'mongoose';
import { defineModel } from '../../platform/mongo/defineModel.ts';
import type { Attributes } from '../category/checkAttributes.ts';
import type { StoredGeo } from '../dealer/model.ts';
import type { ListingRecord, StoredListingLocation, StoredTax } from '../listing/model.ts';
import { moneySchema, type StoredMoney } from '../money/model.ts';

/**
 * The public copy of a published listing. It is written in the transaction that changes the listing; it can be made
 * again from the listing at any time, so that one day a relay may maintain it instead.
 */
export interface CatalogListingRecord {
  /** Id of the listing. */
  _id: string;
  installationId: string;
  slug: string;
  title: string;
  description: string;
  /** Texts of the attributes, for the search. */
  attributesText: string;
  languageTag: string;
  /** Stemmer of the text index; not the language itself, see `toTextLanguage`. */
  _tsLang: string;
  categoryId: string;
  /** The category and all above it. */
  categoryIds: string[];
  condition: NonNullable<ListingRecord['condition']>;
  price: StoredMoney | null;
  priceType: ListingRecord['priceType'];
  /** Sort key: the amount, or the highest number there is where the price is told on request. */
  priceRank: number;
  tax: StoredTax;
  /** As everybody sees them: private ones masked. */
  attributes: Attributes;
  /** Public attributes as `name=value`, one per value: the index for equality on every engine. */
  attributeTokens: string[];
  location: StoredListingLocation | null;
  seller: { type: 'user' | 'dealer'; id: string; name: string };
  showPhone: boolean;
  /** Whether the owner is barred, so that nobody sees the copy: read it through `shownListings`. */
  withdrawn: boolean;
  dealerLocationId: string | null;
  publishedAt: Date;
  expiresAt: Date;
  updatedAt: Date;
}

const embedded = { _id: false, id: false } as const;
const text = { type: String, required: true } as const;
const nullable = { type: String, default: null } as const;

export const CatalogListingModel = defineModel<CatalogListingRecord>(
  'catalog_listings',
  new Schema<CatalogListingRecord>({
    _id: String,
    slug: text,
    title: text,
    description: text,
    attributesText: { type: String, default: '' },
    languageTag: text,
    _tsLang: text,
    categoryId: text,
    categoryIds: { type: [String], required: true },
    condition: text,
    price: { type: moneySchema(), default: null },
    priceType: text,
    priceRank: { type: Number, required: true },
    tax: { mode: text, rateBps: { type: Number, default: null } },
    attributes: { type: Schema.Types.Mixed, required: true },
    attributeTokens: { type: [String], required: true },
    location: {
      type: new Schema<StoredListingLocation>(
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
          precision: text,
        },
        embedded,
      ),
      default: null,
    },
    seller: { type: { type: String, required: true }, id: text, name: text },
    showPhone: { type: Boolean, required: true },
    withdrawn: { type: Boolean, required: true },
    dealerLocationId: nullable,
    publishedAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  })
    .index({ installationId: 1, slug: 1 }, { unique: true })
    .index({ installationId: 1, publishedAt: -1, _id: -1 })
    .index({ installationId: 1, priceRank: 1, _id: 1 })
    .index({ installationId: 1, categoryIds: 1, publishedAt: -1, _id: -1 })
    .index({ installationId: 1, categoryIds: 1, priceRank: 1, _id: 1 })
    .index({ installationId: 1, 'seller.id': 1, publishedAt: -1, _id: -1 })
    .index({ installationId: 1, attributeTokens: 1, publishedAt: -1, _id: -1 })
    .index(
      { installationId: 1, title: 'text', attributesText: 'text', description: 'text' },
      {
        name: 'search',
        weights: { title: 10, attributesText: 5, description: 1 },
        default_language: 'none',
        // A member called `language` would choose the stemmer, and an unknown one would refuse the document.
        language_override: '_tsLang',
      },
    ),
);
