import { articles } from './articles.ts';
import { collections } from './collections.ts';
import type { GoldenCase, PageKind } from './GoldenCase.ts';
import { listings } from './listings.ts';
import { products } from './products.ts';

/** All golden cases by kind of page: 60 in English, German, French and Spanish. */
export const goldenCases: Readonly<Record<PageKind, readonly GoldenCase[]>> = {
  listing: listings,
  article: articles,
  product: products,
  collection: collections,
};
