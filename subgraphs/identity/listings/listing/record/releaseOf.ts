import { dayMs } from '../../../../platform/time/durations.ts';
import type { ListingState } from './states.ts';

const keptMs = 30 * dayMs;

/** Returns when the files of a listing that entered a state are released; null while it may need them. */
export function releaseOf(state: ListingState, at: Date): Date | null {
  return state === 'archived' ? new Date(at.getTime() + keptMs) : null;
}
