import type { Installation } from '../../../subgraphs/platform/installation/Installation.ts';
import type { RoutedProduct } from '../../product/openProduct.ts';
import type { Caller } from '../Caller.ts';
import type { SeededListing, StockedDealer } from '../seedListings.ts';

/** Users of the demonstration on whose behalf samples are created, by the first part of their address. */
export type Actor = 'admin' | 'buyer' | 'editor' | 'finance' | 'moderator' | 'newcomer' | 'translator';

/** What the samples are created from. */
export interface SampleContext {
  readonly product: RoutedProduct;
  readonly installation: Installation;
  readonly dealers: readonly StockedDealer[];
  readonly listings: readonly SeededListing[];
  readonly as: Readonly<Record<Actor, Caller>>;
  /** Aborts the samples when the process closes. */
  readonly signal: AbortSignal;
  readonly progress: (line: string) => void;
}

/**
 * Returns a listing of the samples by its stock number. Samples use different cars, because some of them change a
 * listing.
 */
export function listingOf({ listings }: Pick<SampleContext, 'listings'>, stockNumber: string): SeededListing {
  const found = listings.find(({ car }) => car.stockNumber === stockNumber);
  if (!found) throw new Error(`The demonstration has no listing ${stockNumber}.`);
  return found;
}
