import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { Hook } from '../../kernel/hooks/Hook.ts';

/** Members of a listing that the hooks need. */
interface Listing {
  readonly _id: string;
  readonly installationId: string;
}

/** Functions of the domains above that listings need. */
export interface ListingHooks {
  /** Returns whether a buyer has paid for the listing without a full refund. */
  isPaidFor(listing: Listing, session: ClientSession): Promise<boolean>;
  /** Returns whether a purchase of the listing is authorized, or is being captured. */
  isBeingBought(listing: Listing, session: ClientSession): Promise<boolean>;
  /** Returns whether the conversation is about the listing; false if it does not exist. */
  isAbout(conversationId: string, listing: Listing, context: RequestContext): Promise<boolean>;
}

export const listingHooks = new Hook<ListingHooks>('listings');
