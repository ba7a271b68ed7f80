import { AppError } from '../../../platform/errors/AppError.ts';
import type { Viewer } from '../../../platform/principal/Viewer.ts';
import type { DealerState } from '../../identity.generated.ts';

/** States in which the members of a dealer may change its records; in other states they can only read. */
export const changeableStates: readonly DealerState[] = ['onboarding', 'active'];

/**
 * Refuses changes at a dealer that is not active.
 *
 * @throws AppError `dealer_not_active` if a dealer is suspended, being closed or closed
 */
export function assertMayChange({ state }: { state: DealerState }): void {
  if (!changeableStates.includes(state)) throw dealerNotActive();
}

/** Returns the 403 for an action that requires an active dealer. */
export function dealerNotActive(): AppError {
  return new AppError('dealer_not_active', 'The dealer is not active. Only active dealers can do this.');
}

/**
 * Returns whether the viewer acts for a dealer that is suspended or closed. The membership states the dealer's state.
 */
export function onlyReads(viewer: Viewer, dealerId: string): boolean {
  const state = viewer.membershipOf(dealerId)?.dealerState;
  return state !== undefined && !(changeableStates as readonly string[]).includes(state);
}
