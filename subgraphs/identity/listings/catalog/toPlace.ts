import { AppError } from '../../../platform/errors/AppError.ts';
import type { CatalogBoundsInput, CatalogPointInput } from '../../identity.generated.ts';
import type { Bounds, Surroundings } from './columns/query.ts';

const defaultRadiusKm = 50;
const largestRadiusKm = 500;

/**
 * Checks a point and its radius.
 *
 * @throws AppError `malformed_request`
 */
export function toSurroundings(
  near: CatalogPointInput | null | undefined,
  radiusKm: number | null | undefined,
): Surroundings | null {
  if (!near) {
    if (typeof radiusKm === 'number') throw refused('"radiusKm" needs "near".');
    return null;
  }
  const { lat, lng } = near;
  if (!isLatitude(lat) || !isLongitude(lng))
    throw refused('"near" must be a latitude and a longitude in degrees, such as "52.53,13.39".');
  const radius = radiusKm ?? defaultRadiusKm;
  if (!(radius >= 1 && radius <= largestRadiusKm))
    throw refused(`"radiusKm" must be between 1 and ${largestRadiusKm}.`);
  return { lat, lng, radiusKm: radius };
}

/**
 * Checks a rectangle of a map.
 *
 * @throws AppError `malformed_request`
 */
export function toBounds(bounds: CatalogBoundsInput | null | undefined): Bounds | null {
  if (!bounds) return null;
  const { south, west, north, east } = bounds;
  if (!(isLatitude(south) && isLongitude(west) && isLatitude(north) && isLongitude(east)))
    throw refused('"bounds" must be south, west, north and east in degrees, such as "47.2,5.8,55.1,15.1".');
  if (south > north) throw refused('The south of "bounds" must not be greater than its north.');
  return { south, west, north, east };
}

function isLatitude(degrees: number): boolean {
  return Math.abs(degrees) <= 90;
}

function isLongitude(degrees: number): boolean {
  return Math.abs(degrees) <= 180;
}

function refused(detail: string): AppError {
  return new AppError('malformed_request', detail);
}
