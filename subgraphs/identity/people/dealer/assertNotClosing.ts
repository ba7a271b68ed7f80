import { AppError } from '../../../platform/errors/AppError.ts';
import type { DealerRecord } from './model.ts';
import { nextStates } from './states.ts';

/**
 * Checks that a dealer is not being closed, or closed. Such a dealer cannot be changed, not even by staff.
 *
 * @throws AppError `invalid_transition`
 */
export function assertNotClosing({ state }: DealerRecord): void {
  if (state !== 'closing' && state !== 'closed') return;
  throw new AppError('invalid_transition', `A dealer in the state "${state}" cannot be changed.`, {
    allowedFrom: { state, allowed: nextStates(state) },
  });
}
