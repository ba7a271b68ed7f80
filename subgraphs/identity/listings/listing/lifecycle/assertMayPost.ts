import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import { AppError } from '../../../../platform/errors/AppError.ts';
import { assertMayChange } from '../../../kernel/dealer-standing/assertMayChange.ts';
import type { DealerRecord } from '../../../people/dealer/model.ts';

/**
 * Checks whether the viewer may write listings of a dealer, or private ones.
 *
 * @param dealer the dealer that owns the listing; null for a private one
 * @throws AppError `email_unverified`, `posting_not_allowed`, `dealer_not_active`
 */
export function assertMayPost({ viewer, installation }: RequestContext, dealer: DealerRecord | null): void {
  if (!viewer.isClient && !viewer.principal.emailVerified)
    throw new AppError('email_unverified', 'Your email address is not confirmed. Confirm it first.');
  if (dealer) {
    assertMayChange(dealer);
    return;
  }
  if (installation.settings.privateSelling || viewer.principal.roles.includes('seller')) return;
  throw new AppError('posting_not_allowed', 'Private listings need the role "seller" in this installation.');
}
