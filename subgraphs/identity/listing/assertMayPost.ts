import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import type { DealerRecord } from '../dealer/model.ts';

const writingStates: ReadonlySet<DealerRecord['state']> = new Set(['onboarding', 'active']);

/**
 * Whether the viewer may write listings of a dealer, or private ones, at all.
 *
 * @param dealer the dealer that owns the listing; null for a private one
 * @throws AppError `email_unverified`, `posting_not_allowed`, `dealer_not_active`
 */
export function assertMayPost({ viewer, installation }: RequestContext, dealer: DealerRecord | null): void {
  if (!viewer.isClient && !viewer.principal.emailVerified)
    throw new AppError('email_unverified', 'Confirm your e-mail address first.');
  if (dealer) {
    if (!writingStates.has(dealer.state)) throw dealerNotActive();
    return;
  }
  if (installation.settings.privateSelling || viewer.principal.roles.includes('seller')) return;
  throw new AppError('posting_not_allowed', 'Private listings need the role seller here.');
}

/** 403 for what only an active dealer may do. */
export function dealerNotActive(): AppError {
  return new AppError('dealer_not_active', 'The dealer is not active.');
}
