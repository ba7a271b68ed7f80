import type { GoldenCase, PageKind } from './GoldenCase.ts';
import { unseenArticles } from './unseenArticles.ts';
import { unseenCollections } from './unseenCollections.ts';
import { unseenListings } from './unseenListings.ts';
import { unseenProducts } from './unseenProducts.ts';

/**
 * Pages that were written after the suggestions, and that the suggestions are not improved with. They measure the share
 * of unknown pages.
 */
export const unseenCases: Readonly<Record<PageKind, readonly GoldenCase[]>> = {
  listing: unseenListings,
  article: unseenArticles,
  product: unseenProducts,
  collection: unseenCollections,
};
