import { AppError } from '../../platform/errors/AppError.ts';
import { type ListingState, nextStates } from './states.ts';

/** 409 that names the state and where it can go from there. */
export function invalidTransition(state: ListingState, attempted: string): AppError {
  return new AppError('invalid_transition', `A listing in the state "${state}" cannot be ${attempted}.`, {
    allowedFrom: { state, allowed: nextStates(state) },
  });
}
