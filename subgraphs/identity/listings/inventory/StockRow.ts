import type { ListingInput } from '../listing/content/applyInput.ts';

/** Valid row of a dealer's stock. */
export interface StockRow {
  stockNumber: string;
  /** Members to write; without the stock number. */
  input: Omit<ListingInput, 'stockNumber'>;
  /** Slug of the category in place of its id. */
  category?: string | null | undefined;
  /** Whether attributes are the texts of a table, which their category types. */
  isText?: boolean;
  /** Whether it is to be shown. */
  publish: boolean;
  /** Addresses of its images in their order; left out: the images stay. */
  imageUrls?: readonly string[] | undefined;
  /** Version that the write is meant for. */
  expectedVersion?: number | null | undefined;
  /** Of the row as it was written: the same row again need not be looked at. */
  digest?: string;
}
