/** Searched texts of a listing. */
export interface ListingTexts {
  title: string;
  /** Texts of all attributes. */
  attributesText: string;
  description: string;
  /** BCP 47 tag of the owner's texts. */
  languageTag: string;
}

/** Searched members of a listing. Amounts in minor units, coordinates in WGS 84 degrees. */
export interface ColumnSource extends ListingTexts {
  _id: string;
  /** The category and all above it. */
  categoryIds: readonly string[];
  condition: string;
  price: { amount: number; currency: string } | null;
  priceType: string;
  /** Sort key of the price. */
  priceRank: number;
  attributes: Readonly<Record<string, unknown>>;
  /** Attributes as `name=value`, one per value. */
  attributeTokens: readonly string[];
  hasImages: boolean;
  /** Whether the listing is not found although it has not expired. */
  withdrawn: boolean;
  publishedAt: Date;
  expiresAt: Date;
  /** Time of the last write. */
  changedAt: Date;
  location: { geo?: { lat: number; lng: number } | null } | null;
  seller: { type: string; id: string };
  /** Texts in other languages that readers are shown. */
  translations?: readonly { languageTag: string; title: string; description: string }[];
}
