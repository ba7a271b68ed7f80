import type { ListingColumns } from './ListingColumns.ts';
import type { Bounds, IndexQuery } from './query.ts';
import type { RowCondition } from './RowCondition.ts';

/** Mean radius of the earth in kilometers (IUGG). */
const earthKm = 6371.0088;
const kmPerDegree = (earthKm * Math.PI) / 180;

/** Returns conditions on the location. A listing without a location meets none. */
export function toPlaceTests({ near, bounds }: IndexQuery, columns: ListingColumns): RowCondition[] {
  const [lat, lng] = [columns.findNumber('lat')?.values, columns.findNumber('lng')?.values];
  if (!near && !bounds) return [];
  if (!lat || !lng) return [{ kind: 'rows', member: 'place', isMatch: () => false }];
  const tests: RowCondition[] = [];
  if (bounds) {
    tests.push({ kind: 'range', member: 'place', values: lat, min: bounds.south, max: bounds.north });
    tests.push(toLongitudes(bounds, lng));
  }
  if (near) {
    const degrees = near.radiusKm / kmPerDegree;
    const distance = distanceFrom(near);
    // The latitude band around the location is cheap to check and leaves few rows for the exact distance.
    const [min, max] = [near.lat - degrees, near.lat + degrees];
    tests.push({ kind: 'range', member: 'place', values: lat, min, max });
    const isMatch = (row: number): boolean =>
      distance(lat[row] as number, lng[row] as number) <= near.radiusKm;
    tests.push({ kind: 'rows', member: 'place', isMatch });
  }
  return tests;
}

function toLongitudes({ west, east }: Bounds, values: Float64Array): RowCondition {
  if (west <= east) return { kind: 'range', member: 'place', values, min: west, max: east };
  const isMatch = (row: number): boolean =>
    (values[row] as number) >= west || (values[row] as number) <= east;
  return { kind: 'rows', member: 'place', isMatch };
}

/** Returns the great-circle distance in kilometers (haversine formula); NaN if a location is missing. */
export function distanceFrom(place: { lat: number; lng: number }): (lat: number, lng: number) => number {
  const radians = Math.PI / 180;
  const cosine = Math.cos(place.lat * radians);
  return (lat, lng) => {
    const vertical = Math.sin(((lat - place.lat) * radians) / 2);
    const horizontal = Math.sin(((lng - place.lng) * radians) / 2);
    const chord = vertical ** 2 + cosine * Math.cos(lat * radians) * horizontal ** 2;
    return 2 * earthKm * Math.asin(Math.min(1, Math.sqrt(chord)));
  };
}
