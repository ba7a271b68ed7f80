import { AppError } from '../../../platform/errors/AppError.ts';
import type { Bounds, Surroundings } from './columns/query.ts';

const defaultRadiusKm = 50;
const largestRadiusKm = 500;

/**
 * Parses a point and its radius.
 *
 * @param near latitude and longitude
 * @throws AppError `malformed_request`
 */
export function toSurroundings(
  near: readonly number[] | null | undefined,
  radiusKm: number | null | undefined,
): Surroundings | null {
  if (!near) {
    if (typeof radiusKm === 'number') throw refused('"radiusKm" needs "near".');
    return null;
  }
  const [lat, lng] = near;
  if (near.length !== 2 || !isLatitude(lat) || !isLongitude(lng))
    throw refused('"near" must be a latitude and a longitude in degrees, such as "52.53,13.39".');
  const radius = radiusKm ?? defaultRadiusKm;
  if (!(radius >= 1 && radius <= largestRadiusKm))
    throw refused(`"radiusKm" must be between 1 and ${largestRadiusKm}.`);
  return { lat, lng, radiusKm: radius };
}

/**
 * Parses a rectangle of a map.
 *
 * @param bounds south, west, north, east
 * @throws AppError `malformed_request`
 */
export function toBounds(bounds: readonly number[] | null | undefined): Bounds | null {
  if (!bounds) return null;
  const [south, west, north, east] = bounds;
  const areDegrees = isLatitude(south) && isLongitude(west) && isLatitude(north) && isLongitude(east);
  if (bounds.length !== 4 || !areDegrees)
    throw refused('"bounds" must be south, west, north and east in degrees, such as "47.2,5.8,55.1,15.1".');
  if (south > north)
    throw refused('The first value of "bounds" (south) must not be greater than the third (north).');
  return { south, west, north, east };
}

function isLatitude(degrees: number | undefined): degrees is number {
  return degrees !== undefined && Math.abs(degrees) <= 90;
}

function isLongitude(degrees: number | undefined): degrees is number {
  return degrees !== undefined && Math.abs(degrees) <= 180;
}

function refused(detail: string): AppError {
  return new AppError('malformed_request', detail);
}
