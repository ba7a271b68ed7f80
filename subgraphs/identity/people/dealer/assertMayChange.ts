import { AppError } from '../../../platform/errors/AppError.ts';
import type { DealerRecord } from './model.ts';
import { nextStates } from './states.ts';

/** States in which the members of a dealer may change what belongs to it; in the others they read. */
export const changeableStates: readonly DealerRecord['state'][] = ['onboarding', 'active'];

/** @throws AppError `dealer_not_active` while a dealer is suspended, being closed or closed */
export function assertMayChange({ state }: Pick<DealerRecord, 'state'>): void {
  if (!changeableStates.includes(state)) throw dealerNotActive();
}

/** 403 for what only an active dealer may do. */
export function dealerNotActive(): AppError {
  return new AppError('dealer_not_active', 'The dealer is not active.');
}

/**
 * What is being closed, or is closed, stays as it is, also for the staff.
 *
 * @throws AppError `invalid_transition`
 */
export function assertNotClosing({ state }: DealerRecord): void {
  if (state !== 'closing' && state !== 'closed') return;
  throw new AppError('invalid_transition', `A dealer in the state "${state}" cannot be changed.`, {
    allowedFrom: { state, allowed: nextStates(state) },
  });
}
