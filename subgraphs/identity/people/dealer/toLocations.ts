import type { DealerLocation } from '../../identity.generated.ts';
import type { DealerRecord } from './model.ts';

/** Returns the places of business in the format of the schema. */
export function toLocations({ locations }: Pick<DealerRecord, 'locations'>): DealerLocation[] {
  return (locations ?? []).map((location) => ({
    ...location,
    openingHours: location.openingHours ?? [],
  }));
}
