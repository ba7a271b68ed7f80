import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';

/** Sides of an amount of money. */
interface Sides {
  /** User who pays it; absent for a payout. */
  payerId?: string | undefined;
  /** Dealer who gets it; null for the installation. */
  dealerId: string | null;
}

/**
 * Checks that a member of the staff does not decide about their own money. A member of the dealer is involved in every
 * role.
 *
 * @throws AppError `four_eyes` for the payer and for members of the dealer
 */
export function assertFourEyes(
  { viewer }: Pick<RequestContext, 'viewer'>,
  { payerId, dealerId }: Sides,
): void {
  if (viewer.id !== payerId && (dealerId === null || !viewer.membershipOf(dealerId))) return;
  throw new AppError('four_eyes', 'You pay or receive this money, so another operator must decide.');
}
