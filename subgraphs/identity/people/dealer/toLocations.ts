import type { DealerLocation } from '../../identity.generated.ts';
import type { DealerRecord } from './model.ts';

/** Places of business as the schema has them. */
export function toLocations({ locations }: Pick<DealerRecord, 'locations'>): DealerLocation[] {
  return (locations ?? []).map((location) => ({
    ...location,
    openingHours: location.openingHours ?? [],
  }));
}
