import type { ListingRecord } from '../../../listings/listing/record/model.ts';

/** Returns whether a listing in its current state can be promoted: only published listings are shown. */
export function isPromotable({ state }: Pick<ListingRecord, 'state'>): boolean {
  return state === 'active' || state === 'reserved';
}
