import type { ListingInput } from '../listing/content/applyInput.ts';

/** Valid row of a dealer's stock. */
export interface StockRow {
  stockNumber: string;
  /** Members to write; without the stock number. */
  input: Omit<ListingInput, 'stockNumber'>;
  /** Slug of the category, as an alternative to its id. */
  category?: string | null | undefined;
  /** Whether attributes are the texts of a table, which their category types. */
  isText?: boolean;
  /** Whether the listing is to be published. */
  publish: boolean;
  /** Addresses of its images in their order; left out: the images stay. */
  imageUrls?: readonly string[] | undefined;
  /** Version that the write expects. */
  expectedVersion?: number | null | undefined;
  /** Digest of the row as written. An unchanged row is not processed again. */
  digest?: string;
}
