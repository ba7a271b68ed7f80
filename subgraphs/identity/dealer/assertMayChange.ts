import { AppError } from '../../platform/errors/AppError.ts';
import type { DealerRecord } from './model.ts';

/** States in which the members of a dealer may change what belongs to it; in the others they read. */
export const changeableStates: readonly DealerRecord['state'][] = ['onboarding', 'active'];

/** @throws AppError `dealer_not_active` while a dealer is suspended, being closed or closed */
export function assertMayChange({ state }: Pick<DealerRecord, 'state'>): void {
  if (changeableStates.includes(state)) return;
  throw new AppError('dealer_not_active', 'The dealer is not active.');
}
