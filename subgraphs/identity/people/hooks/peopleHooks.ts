import type { ClientSession, PipelineStage } from 'mongoose';
import type { Platform } from '../../../platform/context/Platform.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { Viewer } from '../../../platform/principal/Viewer.ts';
import { Hook } from '../../kernel/hooks/Hook.ts';

/** Scope of a use case: a request's context, or an installation and the process of a job. */
export interface InstallationContext {
  readonly installationId: string;
  readonly platform: Platform;
}

/** The members of a dealer that the hooks need. */
interface Dealer {
  readonly _id: string;
  readonly installationId: string;
}

/** Something that must be settled before a dealer is closed. */
export interface Obligation {
  /** Name that is reported to the owner, as in `balance`. */
  readonly name: string;
  /** Returns whether it is open, in the transaction that would close the dealer. */
  isOpen(dealer: Dealer, session: ClientSession): Promise<boolean>;
}

/** The part of a conversation that counting unread messages needs. */
export interface UnreadConversation {
  buyerUserId: string;
  sellerId: string;
  unread: { buyer: number; seller: number };
}

/** Functions of the domains above in use cases of this domain. */
export interface PeopleHooks {
  /** All types of obligations. Money that a dispute holds, or that is being paid out, is part of the balance. */
  readonly dealerObligations: readonly Obligation[];
  /** Called in the transaction that suspends a dealer. */
  dealerSuspended(context: RequestContext, dealerId: string, session: ClientSession): Promise<void>;
  /** Called by the job that closes a dealer, before the dealer is closed. It can be interrupted and repeated. */
  dealerClosing(
    context: InstallationContext,
    dealer: { dealerId: string; assertHeld: () => Promise<void> },
  ): Promise<void>;
  /** Returns whether an object of the dealer uses one of these locations. */
  isLocationUsed(dealer: Dealer, locationIds: readonly string[], session: ClientSession): Promise<boolean>;
  /** Called in the transaction in which a user stops being a member of dealers. */
  membershipEnded(
    context: InstallationContext,
    membership: { dealerIds: readonly string[]; userId: string },
    session: ClientSession,
  ): Promise<void>;
  /** Called after the transaction that changed the public data of an owner. It does not throw; a job repeats it. */
  ownerChanged(context: InstallationContext, ownerId: string): Promise<void>;
  /**
   * Confirms an address that does not belong to an account.
   *
   * @returns false if the token is for an account
   * @throws AppError `token_consumed`, `not_found`
   */
  confirmAddress(token: string, context: RequestContext): Promise<boolean>;
  /** Counts unread messages in the command that reads the account. */
  readonly unread: {
    /** Returns a stage that adds the member `waiting` to the account. */
    lookUp(context: RequestContext): PipelineStage.Lookup;
    sum(waiting: readonly UnreadConversation[], viewer: Viewer): number;
  };
}

export const peopleHooks = new Hook<PeopleHooks>('people');
