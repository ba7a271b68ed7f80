import { Schema } from 'mongoose';
import { defineModel } from '../../../../platform/mongo/defineModel.ts';
import { moneySchema, type StoredMoney } from '../../../kernel/money/model.ts';
import type { StoredGeo } from '../../../people/dealer/model.ts';
import type { Attributes } from '../../category/checkAttributes.ts';
import {
  type ListingRecord,
  listingMedia,
  type StoredListingLocation,
  type StoredListingMedia,
  type StoredTax,
} from '../../listing/record/model.ts';

/** Translated texts that readers see instead of the owner's. */
export interface CatalogText {
  /** BCP 47 tag of the texts. */
  languageTag: string;
  title: string;
  description: string;
}

/**
 * The public copy of a published listing. It is written in the transaction that changes the listing. It can be derived
 * from the listing at any time, so a relay could maintain it instead.
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
  /** Kept by `catalog-text`, for the search alone; left out before there was any. */
  translations?: CatalogText[];
  categoryId: string;
  /** The category and all above it. */
  categoryIds: string[];
  condition: NonNullable<ListingRecord['condition']>;
  price: StoredMoney | null;
  priceType: ListingRecord['priceType'];
  /** Sort key: the amount, or the highest number if the price is on request. */
  priceRank: number;
  tax: StoredTax;
  /** Public attributes; private values are masked. */
  attributes: Attributes;
  /** Public attributes as `name=value`, one per value: the index for equality on every engine. */
  attributeTokens: string[];
  location: StoredListingLocation | null;
  seller: { type: 'user' | 'dealer'; id: string; name: string };
  showPhone: boolean;
  /** Whether the owner is barred, which hides the copy. Read copies through `shownListings`. */
  withdrawn: boolean;
  dealerLocationId: string | null;
  /** In the order in which they are shown; read with `picturesOf`, since not every one of them may be. */
  media: StoredListingMedia[];
  /** Whether the listing has an image to show. */
  hasImages: boolean;
  /** Lowest price of the 30 days before the current one; null if there was no other. */
  lowestPrice30d: StoredMoney | null;
  publishedAt: Date;
  expiresAt: Date;
  updatedAt: Date;
  /** Last write to the copy, by any process, by the clock of the database: readers of columns continue from here. */
  changedAt: Date;
}

/** Record of a removed copy, from which processes update their columns. */
export interface CatalogRemovalRecord {
  /** Id of the listing. */
  _id: string;
  installationId: string;
  /** Time of the change by the clock of the database. */
  changedAt: Date;
}

/** Retention of removals, in seconds. A process that has not read for this long reads everything again. */
export const removalsKeptSeconds = 24 * 3600;

const embedded = { _id: false, id: false } as const;
const text = { type: String, required: true } as const;
const nullable = { type: String, default: null } as const;

export const CatalogRemovalModel = defineModel<CatalogRemovalRecord>(
  'catalog_removals',
  new Schema<CatalogRemovalRecord>({ _id: String, changedAt: { type: Date, required: true } })
    .index({ installationId: 1, changedAt: 1, _id: 1 })
    .index({ changedAt: 1 }, { expireAfterSeconds: removalsKeptSeconds }),
);

const catalogListing = new Schema<CatalogListingRecord>({
  _id: String,
  slug: text,
  title: text,
  description: text,
  attributesText: { type: String, default: '' },
  languageTag: text,
  translations: {
    type: [
      new Schema<CatalogText>(
        { languageTag: text, title: { type: String }, description: { type: String } },
        embedded,
      ),
    ],
    default: undefined,
  },
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
  media: [listingMedia],
  hasImages: { type: Boolean, default: false },
  lowestPrice30d: { type: moneySchema(), default: null },
  publishedAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
  changedAt: Date,
})
  .index({ installationId: 1, slug: 1 }, { unique: true })
  .index({ installationId: 1, changedAt: 1, _id: 1 })
  .index({ installationId: 1, 'seller.id': 1, _id: 1 });

/** Adds the time to every write of the model. */
catalogListing.pre(['findOneAndUpdate', 'updateMany'], function () {
  const update = this.getUpdate();
  if (update === null || Array.isArray(update))
    throw new Error('An update of copies must be an object, not a pipeline.');
  this.setUpdate({ ...update, $currentDate: { changedAt: true } });
});

catalogListing.pre('bulkWrite', (operations: readonly object[]) => {
  for (const operation of operations as { updateOne?: { update: object } }[]) {
    if (!operation.updateOne) throw new Error('A batch must change copies with updateOne only.');
    operation.updateOne.update = { ...operation.updateOne.update, $currentDate: { changedAt: true } };
  }
});

/** Records removals in the transaction of the removal, if there is one. */
catalogListing.pre('deleteMany', async function () {
  const { session } = this.getOptions();
  const found = this.model
    .find(this.getFilter(), { _id: 1, installationId: 1 })
    .lean<CatalogRemovalRecord[]>();
  const copies = await (session ? found.session(session) : found);
  if (copies.length === 0) return;
  await CatalogRemovalModel.bulkWrite(
    copies.map(({ _id, installationId }) => ({
      updateOne: {
        filter: { _id, installationId },
        update: { $currentDate: { changedAt: true } },
        upsert: true,
      },
    })),
    { ordered: false, ...(session ? { session } : {}) },
  );
});

export const CatalogListingModel = defineModel<CatalogListingRecord>('catalog_listings', catalogListing);
